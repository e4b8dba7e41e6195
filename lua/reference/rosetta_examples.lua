-- rosetta_examples.lua - for each word of a dictionary an example of its own.
--
-- lua/reference/rosetta/NAME.examples has a part for each row of the
-- dictionary: "# " and the row's first word, then lines of Lua, the last of
-- them an expression with its value after "-->". What is pasted at the prompt
-- is made from it:
--
--   kernel: float *a, i      a kernel of that name (k for "kernel"), with the
--     a[i] += 1;             body that is indented below; "T *x" is in the
--                            device space, and i, t, g, lane and s are the
--                            positions below
--   > line                   a line of MSL before the kernel
--
--   examples.load(name) -> { word = { text =, value = } }
local system = require "mettle.system"

local examples = {}

local positions = { i = "thread_position_in_grid",
  t = "thread_position_in_threadgroup", g = "threadgroup_position_in_grid",
  lane = "thread_index_in_simdgroup", s = "simdgroup_index_in_threadgroup" }

local WIDTH = 72

local function parameter(text)
  if positions[text] then
    return ("uint %s [[%s]]"):format(text, positions[text])
  end
  local is_device = text:find "%*" and not text:find "^threadgroup "
    and not text:find "^constant "
  return is_device and "device " .. text or text
end

-- "a, b<c, d>, e" without cutting inside brackets.
local function parameters(text)
  local list, depth, from = {}, 0, 1
  for at, c in (text .. ","):gmatch "()([<>(),])" do
    if c == "<" or c == "(" then depth = depth + 1
    elseif c == ">" or c == ")" then depth = depth - 1
    elseif depth == 0 then
      list[#list + 1] = parameter(text:sub(from, at - 1):match "^%s*(.-)%s*$")
      from = at + 1
    end
  end
  return list
end

local function head_of(name, list)
  local head = ("kernel void %s("):format(name)
  local line = head .. table.concat(list, ", ") .. ") {"
  if #line <= WIDTH then return line end
  return head .. table.concat(list, ",\n" .. (" "):rep(#head)) .. ") {"
end

-- A kernel's lines, from the line "name: parameters" on; the number of the next
-- line.
local function kernel(lines, at, before, out)
  local name, text = lines[at]:match "^(%l+): (.+)$"
  out[#out + 1] = (name == "kernel" and "k" or name) .. " = gpu.kernel [=["
  out[#out + 1] = "#include <metal_stdlib>\nusing namespace metal;"
  for _, line in ipairs(before) do out[#out + 1] = line end
  out[#out + 1] = head_of(name == "kernel" and "f" or name, parameters(text))
  at = at + 1
  while lines[at] and lines[at]:find "^  " do
    out[#out + 1] = lines[at]
    at = at + 1
  end
  out[#out + 1] = "}\n]=]"
  return at
end

-- "expression --> value" with the value further to the right.
local function told(line, value)
  local code = line:match "^(.-)%s*%-%->"
  return ("%s%s--> %s"):format(code, (" "):rep(math.max(1, 26 - #code)), value)
end

local function expand(lines)
  local out, before, at, value = {}, {}, 1, nil
  while lines[at] do
    local line = lines[at]
    if line:find "^> " then
      before[#before + 1] = line:sub(3)
      at = at + 1
    elseif line:find "^%l+: " then
      at = kernel(lines, at, before, out)
    else
      local result = line:match "%-%-> (.+)$"
      value = result or value
      out[#out + 1] = result and told(line, result) or line
      at = at + 1
    end
  end
  return { text = table.concat(out, "\n"), value = value }
end

function examples.load(name)
  local path = ("%s/lua/reference/rosetta/%s.examples"):format(system.data
    or ".", name)
  local file = assert(io.open(path))
  local all, lines = {}, nil
  for line in file:lines() do
    local word = line:match "^# (.+)$"
    if word then
      lines = {}
      all[word] = lines
    else
      lines[#lines + 1] = line
    end
  end
  file:close()
  for word, list in pairs(all) do all[word] = expand(list) end
  return all
end

return examples
