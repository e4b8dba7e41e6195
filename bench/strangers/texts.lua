-- texts.lua - the kernels of bench/strangers, and each as a text in a language.
--
--   local texts = dofile "bench/strangers/texts.lua"
--   for _, kernel in ipairs(texts.kernels("fft", "")) do   family, words
--     texts.of(kernel, "cuda")          the text; also metal, opencl, c
--     texts.write(kernel, "c", folder)  into a file; its path
--
-- A file FAMILY.kernels begins with what it is about; each kernel has a head
-- in lines that begin with "//@", in Lua (inputs.lua has its words), and the
-- text up to the next head. A kernel is { name, family, head, text }.
local texts = {}
local FOLDER = "bench/strangers/"
texts.families = { "linear", "stencils", "scans", "hashing", "fft", "filters",
  "montecarlo", "dynamic", "attention", "rays", "graphs",
  "later" }

local LANGUAGES = {
  metal = { headers = { "metal" }, ending = "metal" },
  opencl = { headers = { "opencl" }, ending = "cl" },
  cuda = { headers = { "cuda", "vectors" }, ending = "cu" },
  c = { headers = { "c", "vectors" }, ending = "cc" },
}

local function contents(path)
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  return text
end

local function read(family, list)
  local kernel
  for line in contents(FOLDER .. family .. ".kernels"):gmatch "([^\n]*)\n" do
    local head = line:match "^//@ ?(.*)$"
    if head and (not kernel or kernel.text ~= "") then
      kernel = { family = family, head = "", text = "",
        name = head:match '"([%w_]+)"' }
      list[#list + 1] = kernel
    end
    if head then
      kernel.head = kernel.head .. head .. "\n"
    elseif kernel then
      kernel.text = kernel.text .. line .. "\n"
    end
  end
end

local function has_any(name, words)
  for word in words:gmatch "[^,]+" do
    if name:find(word, 1, true) then return true end
  end
  return words == ""
end

-- Those of a family, and with one of the words in their name, which commas
-- part; "" are all.
function texts.kernels(family, words)
  local list, chosen = {}, {}
  for _, name in ipairs(texts.families) do
    if name:find(family, 1, true) then read(name, list) end
  end
  for _, kernel in ipairs(list) do
    if has_any(kernel.name, words) then chosen[#chosen + 1] = kernel end
  end
  return chosen
end

--------------------------------------------------------------- calls in plain C

local POINTERS = { IN = "const %s *__restrict__", OUT = "%s *__restrict__" }

-- A parameter as a local variable of the caller, which has them as addresses.
local function variable(param, i)
  local word, kind = param:match "(%u+)%((%w+)%) "
  if word == "VALUE" then
    return "p" .. i, ("%s p%d = *(%s *)a[%d];"):format(kind, i, kind, i)
  end
  local pointer = word and POINTERS[word]:format(kind) or "uint *"
  return "p" .. i, ("%s p%d = (%s)a[%d];"):format(pointer, i,
    pointer:gsub("__restrict__", ""), i)
end

-- The loop around a kernel: over threads of one dimension, or rows of threads,
-- or groups, from the one with the number 'first' up to 'end'.
local function caller(kernel)
  local group, head = kernel.text:match(
    "(%u-)_?KERNEL%(" .. kernel.name .. ",%s*(.-)%)%s*{")
  local names, lines = {}, {}
  for param in (head .. ","):gmatch "%s*(.-)," do
    names[#names + 1], lines[#lines + 1] = variable(param, #names)
  end
  local call = ("%s(%s, Position{x, y, z});"):format(kernel.name,
    table.concat(names, ", "))
  local loop = group == "GROUP" and [[
  for (uint i = first; i < end; i++) {
    uint x = i % sizes[0], y = i / sizes[0] % sizes[1];
    uint z = i / sizes[0] / sizes[1];
    ]] .. call .. "\n  }" or [[
  if (sizes[1] * sizes[2] == 1) {
    uint y = 0, z = 0;
    for (uint x = first; x < end; x++) ]] .. call .. [[

    return;
  }
  for (uint i = first; i < end; i++) {
    uint y = i % sizes[1], z = i / sizes[1];
    for (uint x = 0; x < sizes[0]; x++) ]] .. call .. "\n  }"
  return ("extern \"C\" const int of_groups = %d;\n" ..
    "extern \"C\" void call(void **a, uint first, uint end,\n" ..
    "                     const uint sizes[3]) {\n  %s\n%s\n}\n"):format(
    group == "GROUP" and 1 or 0, table.concat(lines, "\n  "), loop)
end

------------------------------------------------------------------------- texts

function texts.of(kernel, language)
  local parts = {}
  for i, header in ipairs(LANGUAGES[language].headers) do
    parts[i] = contents(FOLDER .. "language/" .. header .. ".h")
  end
  parts[#parts + 1] = kernel.text
  if language == "c" then parts[#parts + 1] = caller(kernel) end
  return table.concat(parts, "\n")
end

-- The file is left as it is where it has the text already: what was made of it
-- by the same command is still good then. Returns the path, and whether it was.
function texts.write(kernel, language, folder, command)
  local path = ("%s/%s.%s"):format(folder, kernel.name,
    LANGUAGES[language].ending)
  local text, file = texts.of(kernel, language), io.open(path)
  if command then text = text .. "// compiled by: " .. command .. "\n" end
  if file then
    local old = file:read "a"
    file:close()
    if old == text then return path, true end
  end
  file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  return path, false
end

return texts
