-- picture.lua - a picture of what a task wants: a tiny case, its inputs
-- above and its answer below, made by the task's own reference.
--
--   picture.lines(task)            what is wanted
--   picture.lines(task, kernel)    and what this kernel gives; nil if it gives
--                                  the same
--
-- One element of the answer is marked, and all that it is made of: found by
-- changing the inputs one by one and asking the reference again. The case is
-- data.picture: 'size'; 'values', by the names of inputs, where small random
-- numbers would show nothing; 'mark', an index of the answer.
local kernels = require "lua.workload.kernels"
local workload = require "lua.workload.workload"
local style = require "lua.text.style"
local units = require "lua.text.units"

local picture = {}

local WIDTH = 76                -- columns of a picture
local LIMIT = 2                 -- seconds that a kernel may take for it
local CHANGES = { 1, 50, -50 }  -- of an input: one may be too small to matter

----------------------------------------------------------------- the tiny case

local function flat(b) return b:reshape(#b) end

-- The case as a workload (lua/workload/workload.lua), with the picture's own
-- values.
local function tiny(t, kernel)
  local wanted = t.data.picture
  local p = kernels.of_data(t.data.kernel, t.data, wanted.size, kernel,
    { seed = 1, small = true })
  for name, values in pairs(wanted.values or {}) do
    for i, v in ipairs(values) do flat(p.arguments[name])[i - 1] = v end
  end
  return p
end

-- The answers by name: flat buffers.
local function answers(t, p)
  local out = {}
  for _, output in ipairs(p.outputs) do
    out[output.name] = output.value:copy()
  end
  t.data.reference(p.sizes, p.arguments, out)
  for name, b in pairs(out) do out[name] = flat(b) end
  return out
end

local function same(a, b) return a == b or (a ~= a and b ~= b) end

-- Does a change of element i of an input change the marked one?
local function matters(t, p, input, i, mark)
  local before, first = input[i], p.outputs[1].name
  local was, changed = answers(t, p)[first][mark], false
  for _, by in ipairs(CHANGES) do
    -- an index may lead out of its array then: no answer, no source
    local ok, out = pcall(function()
      input[i] = before + by
      return answers(t, p)
    end)
    changed = changed or ok and not same(out[first][mark], was)
  end
  input[i] = before
  return changed
end

-- The inputs in the order of their names, and numbers that are given beside.
local function inputs_of(p)
  local is_output, names, numbers = {}, {}, {}
  for _, output in ipairs(p.outputs) do is_output[output.name] = true end
  for name, v in pairs(p.arguments) do
    if workload.is_buffer(v) and not is_output[name] then
      names[#names + 1] = name
    elseif type(v) == "number" then
      numbers[#numbers + 1] = ("%s = %s"):format(name, units.short(v))
    end
  end
  table.sort(names)
  table.sort(numbers)
  return names, numbers
end

-------------------------------------------------------------------- drawing it

local function number(v)
  if v ~= v then return "·" end
  if v == math.floor(v) and math.abs(v) < 1e6 then return ("%d"):format(v) end
  return math.abs(v) < 1000 and ("%.2f"):format(v) or ("%.3g"):format(v)
end

local LABEL = 10 -- columns before the cells

local function widest_of(b)
  local widest = 1
  for i = 0, #b - 1 do
    widest = math.max(widest, units.width(number(b[i])))
  end
  return widest
end

-- Elements in a row: a long list goes on below, at a power of two.
local function columns_of(b, shape, widest)
  if #shape == 2 then return shape[2] end
  local room, columns = (WIDTH - LABEL) // (widest + 2), #b
  if columns > room then
    columns = 1
    while 2 * columns <= room do columns = 2 * columns end
  end
  return columns
end

-- One buffer as rows of cells of that width. 'marked' and 'wrong' are sets of
-- indices.
local function block(name, b, shape, widest, marked, wrong)
  widest = math.max(widest, widest_of(b))
  local columns = columns_of(b, shape, widest)
  local lines, label = {}, units.pad("  " .. name, LABEL)
  for first = 0, #b - 1, columns do
    local cells = {}
    for i = first, math.min(first + columns, #b) - 1 do
      local cell = units.right(number(b[i]), widest)
      cell = wrong[i] and style.bad(" " .. cell .. "✗")
        or marked[i] and style.bold("[" .. cell .. "]") or " " .. cell .. " "
      cells[#cells + 1] = cell
    end
    local line = (first == 0 and label or (" "):rep(LABEL))
      .. table.concat(cells)
    lines[#lines + 1] = (line:gsub(" +$", ""))
  end
  return lines
end

local function add(lines, more)
  for _, line in ipairs(more) do lines[#lines + 1] = line end
end

local function sources(t, p, name, mark)
  local set, input = {}, flat(p.arguments[name])
  for i = 0, #input - 1 do
    if matters(t, p, input, i, mark) then set[i] = true end
  end
  return set
end

-- The answers of the kernel by name, and which of their elements are wrong; nil
-- if none is, or if it does not get so far.
local function yours(t, p, wanted)
  p.reset()
  if not pcall(p.run, p, 1, LIMIT) then return nil end
  local got, wrong, any = {}, {}, false
  for _, output in ipairs(p.outputs) do
    local mine, ours = flat(output.value), wanted[output.name]
    got[output.name], wrong[output.name] = mine, {}
    for i = 0, #mine - 1 do
      local apart = math.abs(mine[i] - ours[i])
      if not (apart <= 1e-3 * math.max(1, math.abs(ours[i]))) then
        wrong[output.name][i], any = true, true
      end
    end
  end
  if any then return got, wrong end
end

-- One width for all cells, so that they stand below each other; each its own
-- where that would not fit, but an answer and the kernel's, if it is drawn,
-- have one.
local function common_width(p, wanted, got)
  local widest, longest = 1, 1
  for name, v in pairs(p.arguments) do
    if workload.is_buffer(v) then
      widest = math.max(widest, widest_of(wanted[name] or flat(v)),
        got and got[name] and widest_of(got[name]) or 1)
      longest = math.max(longest, #v.shape == 2 and v.shape[2] or #v)
    end
  end
  return longest * (widest + 2) <= WIDTH - LABEL and widest or 1
end

local function draw_inputs(t, p, lines, mark, width)
  local names, numbers = inputs_of(p)
  for _, name in ipairs(names) do
    local b = p.arguments[name]
    add(lines, block(name, flat(b), b.shape, width,
      sources(t, p, name, mark), {}))
  end
  return numbers
end

-- "  ↓  n = 8; in brackets: y[4], and all that it is made of"
local function caption(p, mark, numbers)
  local first = p.outputs[1]
  local shape = first.value.shape
  local place = #shape == 2
    and ("%d, %d"):format(mark // shape[2], mark % shape[2]) or tostring(mark)
  return style.dim(("  ↓  %sin brackets: %s[%s] and what it is made of"):format(
    #numbers > 0 and table.concat(numbers, ", ") .. "; " or "", first.name,
    place))
end

-- The first element that has something to show, if none is named.
local function mark_of(t, p)
  return t.data.picture.mark or #p.outputs[1].value // 2
end

function picture.lines(t, kernel)
  local p = tiny(t, kernel)
  local wanted, mark, lines = answers(t, p), mark_of(t, p), {}
  local got, wrong
  if kernel then
    got, wrong = yours(t, p, wanted)
    if not got then return nil end
  end
  local width = common_width(p, wanted, got)
  local numbers = draw_inputs(t, p, lines, mark, width)
  lines[#lines + 1] = caption(p, mark, numbers)
  for i, output in ipairs(p.outputs) do
    local name, shape = output.name, output.value.shape
    local cell = math.max(width, widest_of(wanted[name]),
      got and widest_of(got[name]) or 1)
    add(lines, block(name, wanted[name], shape, cell,
      i == 1 and { [mark] = true } or {}, {}))
    if got then
      add(lines, block("yours", got[name], shape, cell, {}, wrong[name]))
    end
  end
  return lines
end

-- A sentence if the picture cannot be drawn, or not on a screen; else nil.
function picture.mistake(t)
  local wanted = t.data.picture
  if type(wanted) ~= "table" or type(wanted.size) ~= "table" then
    return "picture needs size: a tiny case"
  end
  local ok, lines = pcall(picture.lines, t)
  if not ok then return "the picture cannot be drawn: " .. tostring(lines) end
  if #lines > 14 then return ("the picture has %d lines"):format(#lines) end
  for _, line in ipairs(lines) do
    if units.width(line) > WIDTH then
      return ("the picture has %d columns"):format(units.width(line))
    end
  end
end

return picture
