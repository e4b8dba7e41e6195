-- arguments.lua - buffers to try a kernel with: random inputs, outputs that
-- hold nonsense, and canaries after them.
--
--   local a = arguments.new { seed = 7 }
--   a.make.random(1000)      the functions that kernels/NAME.lua and a lesson's
--                            lesson.lua make their arguments with
--   a:reset()                outputs as they must be before a run
--   a:undefined()            the buffers that hold nonsense before it
--   a:check()                nil, or a sentence: what was written that must not
--
-- With 'special' the random floats have zeros, negatives, tiny and huge
-- numbers, infinities and nan among them; with 'small' they are whole numbers
-- from 0 to 9, for pictures.
local types = require "mettle.types"

local arguments = {}
local methods = {}
local meta = { __index = methods }

local CANARIES = 64 -- elements after every output that must stay as they are

-- Are its numbers, or those of a vector, floating point?
function arguments.is_float(type_name)
  local scalar = types[type_name:match "^packed_(%a+)"
    or type_name:match "^%a+"]
  return scalar and scalar.kind == "f"
end

local function poison_for(type_name)
  return arguments.is_float(type_name) and 0 / 0 or 85
end

-- A buffer of that type and shape whose memory goes on past its end.
local function guarded(made, type_name, rows, columns)
  local n = rows * (columns or 1)
  local whole = gpu.buffer(type_name, n + CANARIES):fill(85)
  local b = whole:view(0, n)
  if columns then b = b:reshape(rows, columns) end
  made[#made + 1] = { buffer = b, tail = whole:view(n, CANARIES) }
  return b, made[#made]
end

local specials = { 0, -1, 1e30, 0 / 0, -0.0, 1e-38, -1e30, 1 / 0, 1, -1 / 0 }

-- Every second element, so that ordinary ones stand between; which comes first
-- depends on the seed.
local function sprinkle(b, seed)
  local flat = b:reshape(#b)
  for i = seed % 2, math.min(#flat, 64) - 1, 2 do
    flat[i] = specials[(i // 2 + seed) % #specials + 1]
  end
end

-- The functions that data files make their arguments with. 'made' collects the
-- outputs: what they must hold before a run, and their canaries.
local function maker(made, options)
  local make, seed = {}, (options and options.seed or 0) * 1000
  local function next_seed() seed = seed + 1; return seed end
  local function filled(type_name, rows, columns, low, high)
    local b = columns and gpu.buffer(type_name, rows, columns)
      or gpu.buffer(type_name, rows)
    return b:random(next_seed(), low, high)
  end
  -- random([type,] rows [, columns [, low, high]]): in -1 to 1 if not said
  function make.random(a, ...)
    local type_name, rows, columns, low, high = "float", a, ...
    if type(a) == "string" then type_name, rows, columns, low, high = a, ... end
    if options and options.small and not low then
      local small = columns and gpu.buffer(type_name, rows, columns)
        or gpu.buffer(type_name, rows)
      return small:random(next_seed(), 0, 10, 1)
    end
    local b = filled(type_name, rows, columns, low or -1, high or 1)
    if options and options.special and type_name == "float" then
      sprinkle(b, seed)
    end
    return b
  end
  -- whole(n): odd whole numbers from -7 to 7, as floats. Their sums stay small
  -- and so round nowhere: every order of adding gives the same, and no term is
  -- 0.
  function make.whole(n)
    return gpu.buffer("float", n):random(next_seed(), -7, 9, 2)
  end
  function make.integers(type_name, low, high, rows, columns)
    return filled(type_name, rows, columns, low, high)
  end
  -- out(type, rows [, columns]): holds nonsense before the run
  function make.out(type_name, rows, columns)
    local b, entry = guarded(made, type_name, rows, columns)
    entry.before = poison_for(type_name)
    return b
  end
  -- zeros(type, n): what the kernel adds to; 0 before the run
  function make.zeros(type_name, rows, columns)
    local b, entry = guarded(made, type_name, rows, columns)
    entry.before = 0
    return b
  end
  -- changed(type, n): random numbers that the kernel works on in place; each
  -- run starts from them again
  function make.changed(type_name, rows, columns)
    local b, entry = guarded(made, type_name, rows, columns)
    entry.before = b:random(next_seed(), -1, 1):copy()
    return b
  end
  function make.texture(format, width, height)
    return gpu.texture(format, width, height)
  end
  function make.image(format, width, height)
    local t = gpu.texture(format, width, height)
    return t:write(t:read():random(next_seed()))
  end
  return make
end

function methods:reset()
  for _, entry in ipairs(self) do entry.buffer:fill(entry.before) end
end

function methods:check()
  for _, entry in ipairs(self) do
    if not entry.tail:equals(entry.tail:copy():fill(85)) then
      return "it wrote past the end of an output: the grid is larger than the "
        .. "data, and the guard is missing or wrong"
    end
  end
end

-- The buffers that hold nonsense before a run, as a set.
function methods:undefined()
  local set = {}
  for _, entry in ipairs(self) do
    if type(entry.before) == "number" and entry.before ~= 0 then
      set[entry.buffer] = true
    end
  end
  return set
end

function arguments.new(options)
  local made = setmetatable({}, meta)
  made.make = maker(made, options)
  return made
end

return arguments
