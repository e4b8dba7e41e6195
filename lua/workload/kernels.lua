-- kernels.lua - the kernel library: gpu.kernels, and each kernel as a workload
-- that can be checked and measured.
--
-- A kernel NAME is two files, kernels/NAME.metal and kernels/NAME.lua. The
-- second returns a table:
--
--   about       one line: what it computes
--   sizes       what can be chosen, with its standard: { n = 1000000 }
--   most        the largest that a size may be, where the kernel has a limit
--   macros      sizes that the source is compiled with: { TILE = 16 }
--   arguments   function(s, make): the arguments by the names of the kernel's
--               parameters, made from the sizes s by the functions of 'make'
--   outputs     names of the arguments that hold the answer
--   launch      function(s): { grid = …, group = … }, as in a launch
--   steps       instead, where one launch is not enough: function(s, arg,
--               kernel) gives a list of { kernel, arguments …, grid = …, group
--               = … }
--   kernels     names, if the file has several; 'kernel' is then a table of
--               them
--   fixed_group true if the kernel is written for this one group size
--   reference   function(s, arg, out, way): fills the buffers in 'out', or
--               returns the answers; with 'way' it runs a CPU reference that
--               way
--   cpu         name of the CPU reference that it calls, if it does
--   tolerance   how far an answer may be off, as in b:equals; or function(s)
--   additions   function(s): how many roundings an answer adds up, if many; the
--               tolerance grows with it (lua/workload/tolerance.lua)
--   scale       the size of an answer, below which its error does not shrink
--               with it: 1 if not said; or function(s)
--   strays      the part of the elements that may be further off; else none
--   bytes, operations   function(s, arg, out): what must be moved and computed
--   try         sizes that are likely to break it: the tests try them all
--   like        another kernel of the library, whose entries hold where this
--               one has none: the same workload, solved otherwise
local arguments = require "lua.workload.arguments"
local families = require "lua.reference.families"
local workload = require "lua.workload.workload"
local tolerance = require "lua.workload.tolerance"
local system = require "mettle.system"
local units = require "lua.text.units"

local kernels = {}
local folder = (system.data or ".") .. "/kernels/"

function kernels.names()
  local names = {}
  for _, file in ipairs(system.list(folder)) do
    names[#names + 1] = file:match "^(.*)%.lua$"
  end
  return names
end

local function near(name)
  local found = {}
  for _, other in ipairs(kernels.names()) do
    if other:find(name, 1, true) or name:find(other, 1, true)
        or other:sub(1, 4) == name:sub(1, 4) then
      found[#found + 1] = other
    end
  end
  return #found > 0 and "do you mean "
    .. table.concat(found, ", ", 1, math.min(#found, 6)) .. "?"
    or "gpu.kernels lists them"
end

-- What kernels/NAME.lua says; raises if there is no such kernel.
function kernels.data(name)
  if type(name) ~= "string" then
    error("the name of a kernel of the library is expected, not a "
      .. type(name), 0)
  end
  local file = name:find "^[%w_]+$" and io.open(folder .. name .. ".lua")
  if not file then
    error(("there is no kernel '%s' in the library; %s"):format(name,
      near(name)), 0)
  end
  file:close()
  local data = require("kernels." .. name)
  if data.like and not getmetatable(data) then
    setmetatable(data, { __index = kernels.data(data.like) })
  end
  return data
end

------------------------------------------------------------------------ sizes

-- Words of a launch, which a kernel of the library brings along.
local of_launch = { grid = true, group = true, groups = true, limit = true,
  repeats = true }

-- The sizes to use: those given in place of the standard ones.
local function choose(name, data, given)
  local s = {}
  for key, standard in pairs(data.sizes) do s[key] = standard end
  for key, standard in pairs(data.macros or {}) do s[key] = standard end
  for key, v in pairs(given or {}) do
    if s[key] == nil then
      error(("%s has no size '%s'%s; it has %s"):format(name, tostring(key),
        of_launch[key] and ", since its launch follows from its sizes" or "",
        kernels.sizes_text(data.sizes)), 0)
    end
    if math.type(v) == "float" and v == math.floor(v) then
      v = math.tointeger(v)
    end
    if math.type(v) ~= "integer" or v < 0 then
      error(("%s: the size %s must be a whole number, at least 0, got %s")
        :format(name, key, type(v) == "string" and ("the string %q"):format(v)
        or tostring(v)), 0)
    end
    if data.most and data.most[key] and v > data.most[key] then
      error(("%s: %s is at most %d, got %d"):format(name, key, data.most[key],
        v), 0)
    end
    s[key] = v
  end
  return s
end

-- "m = 1024, n = 1024", sorted
function kernels.sizes_text(sizes)
  local keys = {}
  for key in pairs(sizes) do keys[#keys + 1] = key end
  table.sort(keys)
  for i, key in ipairs(keys) do
    keys[i] = key .. " = " .. units.count(sizes[key])
  end
  return table.concat(keys, ", ")
end

-- Sizes at which a launch can be looked at, access by access: powers of two,
-- halved until their product is no more than 'most', or 1024.
local SMALL = 1024

local function power_of_two(n)
  local p = 1
  while p * 2 <= n do p = p * 2 end
  return p
end

function kernels.small_sizes(name, most)
  local data, s, keys, product = kernels.data(name), {}, {}, 1
  for key, standard in pairs(data.sizes) do
    s[key] = power_of_two(math.max(standard, 1))
    keys[#keys + 1], product = key, product * s[key]
  end
  table.sort(keys) -- the same for everyone
  while product > (most or SMALL) do
    local largest = keys[1]
    for _, key in ipairs(keys) do
      if s[key] > s[largest] then largest = key end
    end
    s[largest], product = s[largest] // 2, product // 2
  end
  return s
end

-------------------------------------------------------------------- problems

-- The source and the macros say what was compiled, so a file that was changed
-- is compiled again.
local compiled = {}

local function key_of(name, defines)
  local file = assert(io.open(folder .. name .. ".metal"))
  local parts = { gpu.device.name, file:read "a" }
  file:close()
  for macro, v in pairs(defines) do parts[#parts + 1] = macro .. "=" .. v end
  return table.concat(parts, "\0")
end

local function load_kernel(name, data, options)
  local key = key_of(name, options.defines)
  if compiled[key] then return compiled[key] end
  local loaded
  if not data.kernels then
    loaded = gpu.kernel(name, options)
  else
    local library = gpu.library(name, options)
    loaded = {}
    for _, one in ipairs(data.kernels) do loaded[one] = library:kernel(one) end
  end
  compiled[key] = loaded
  return loaded
end

local function steps_of(data, s, arg, kernel)
  if data.steps then return data.steps(s, arg, kernel) end
  local launch = data.launch(s)
  for key, v in pairs(arg) do launch[key] = v end
  launch[1] = nil
  return { { kernel = kernel, launch = launch } }
end

-- { kernel, a, b, grid = … } as { kernel =, launch = { a, b, grid = … } }
local function plain_step(step)
  if step.kernel then return step end
  local launch = {}
  for key, v in pairs(step) do
    if math.type(key) == "integer" then
      if key > 1 then launch[key - 1] = v end
    else
      launch[key] = v
    end
  end
  return { kernel = step[1], launch = launch }
end

local function number_of(v, ...)
  if type(v) == "function" then return v(...) end
  return v
end

local function chosen_macros(data, s)
  local defines = {}
  for key in pairs(data.macros or {}) do defines[key] = s[key] end
  return defines
end

-- A GPU may take fewer threads in a group than a kernel of the library is
-- usually launched with: then as many as fit, where its source does not fix
-- them.
local function fit(step)
  local k = step.kernel
  local group, most = step.launch.group, k.max_threads
  -- A group that is reduced SIMD-group by SIMD-group ends with one that has a
  -- lane for each: with narrow ones (Intel's, by threadExecutionWidth) fewer
  -- threads are that many.
  if k.simd_width < 32 and families.counts_on_width(k.source, k.name) then
    most = math.min(most, k.simd_width * k.simd_width)
  end
  local sides = type(group) == "table" and { table.unpack(group) } or { group }
  local function threads()
    return (sides[1] or 1) * (sides[2] or 1) * (sides[3] or 1)
  end
  if threads() <= most then return end
  for i = 1, #sides do
    while threads() > most and sides[i] > 1 do
      sides[i] = (sides[i] + 1) // 2
    end
  end
  step.launch.group = sides
end

-- What 'data' says (as in kernels/NAME.lua), at the sizes s and with a compiled
-- kernel, as a workload. Options: seed and special, as in
-- lua/workload/arguments.lua. Without a name it has those of its kernels.
function kernels.of_data(name, data, s, kernel, options)
  name = name or table.concat(data.kernels, " and ")
  local made = arguments.new(options)
  local arg = data.arguments(s, made.make)
  local steps = steps_of(data, s, arg, kernel)
  for i, step in ipairs(steps) do steps[i] = plain_step(step) end
  local outputs = {}
  for i, output in ipairs(data.outputs) do
    outputs[i] = { name = output, value = arg[output] }
  end
  return workload.new {
    name = name, title = name .. ", " .. kernels.sizes_text(s),
      about = data.about, sizes = s,
    steps = steps, outputs = outputs, arguments = arg,
      fixed_group = data.fixed_group,
    undefined = made:undefined(),
    reset = function() made:reset() end,
    check = function() return made:check() end,
    reference = function(out, way) return data.reference(s, arg, out, way) end,
    cpu = data.cpu and cpu[data.cpu], check_only = not data.cpu,
    tolerance = (number_of(data.tolerance, s) or 0)
      + (data.additions and tolerance.of_sum(data.additions(s)) or 0),
    terms = data.additions and data.additions(s) or nil,
    scale = number_of(data.scale, s), strays = data.strays,
    bytes = function(out) return number_of(data.bytes, s, arg, out) end,
    operations = function(out) return number_of(data.operations, s, arg,
      out) end,
  }
end

-- The kernel NAME at these sizes as a workload (lua/workload/workload.lua).
function kernels.workload(name, sizes)
  local data = kernels.data(name)
  local s = choose(name, data, sizes)
  local p = kernels.of_data(name, data, s,
    load_kernel(name, data, { defines = chosen_macros(data, s) }))
  for _, step in ipairs(data.fixed_group and {} or p.steps) do fit(step) end
  return p
end

-- { NAME, n = …, words … }, as every function that takes a name of the library
-- is called, as a workload: what is neither a size nor one of the caller's
-- words is refused. With 'small', sizes that are not given are small ones. The
-- second result has the caller's words.
function kernels.take(t, words, small)
  local sizes, options = {}, {}
  for key, v in pairs(t) do
    if words[key] then options[key] = v
    elseif key ~= 1 then sizes[key] = v end
  end
  if small then
    for key, v in pairs(kernels.small_sizes(t[1])) do
      if sizes[key] == nil then sizes[key] = v end
    end
  end
  return kernels.workload(t[1], sizes), options
end

------------------------------------------------------------------- gpu.kernels

local list_meta = {}

function list_meta:__tostring()
  local widest, lines = 0, {}
  for _, name in ipairs(self) do widest = math.max(widest, #name) end
  for _, name in ipairs(self) do
    lines[#lines + 1] = "  " .. units.pad(name, widest + 2)
      .. kernels.data(name).about
  end
  lines[#lines + 1] =
    'gpu.kernel "add" loads one, compare "add" checks and measures it'
  return table.concat(lines, "\n")
end

function list_meta:__call() return self end

kernels.list = setmetatable(kernels.names(), list_meta)

return kernels
