-- scale.lua - one axis of a plot: where a value stands, which values are named.
--
--   local s = scale.new({ log = 2 }, values, 6)
--   s:at(v)      0 at the low end, 1 at the high end
--   s.ticks      list of {value, text}, at most about so many
--
-- An axis is {label, unit, log = true | 2 | 10, from, to, whole, names}; 'whole'
-- names whole numbers only. With 'names' it
-- has no numbers: values are 1, 2, 3 … and stand side by side under their names.
local units = require "lua.units"

local scale = {}
local methods = {}
local meta = { __index = methods }

local function extremes(values)
  local low, high = math.huge, -math.huge
  for _, v in ipairs(values) do
    if v == v and v ~= math.huge and v ~= -math.huge then
      low, high = math.min(low, v), math.max(high, v)
    end
  end
  return low, high
end

-- The next of 1, 2, 5, 10, 20, 50 … from v upwards.
local function nice(v)
  local power = 10.0 ^ math.floor(math.log(v, 10) + 1e-9)
  for _, m in ipairs { 1, 2, 5 } do
    if m * power >= v * (1 - 1e-9) then return m * power end
  end
  return 10 * power
end

local function linear(s, low, high, wanted)
  if low == high then
    local d = low == 0 and 1 or math.abs(low) / 2
    low, high = low - d, high + d
  end
  local step = nice((high - low) / math.max(1, wanted - 1))
  if s.axis.whole then step = math.max(1.0, step) end
  s.low, s.high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
  for i = 0, math.floor((s.high - s.low) / step + 0.5) do
    local v = s.low + i * step
    if math.abs(v) < step * 1e-9 then v = 0.0 end
    s.ticks[#s.ticks + 1] = { v, units.short(v) }
  end
end

local function power_ticks(s, base, wanted)
  local first = math.ceil(math.log(s.low, base) - 1e-9)
  local last = math.floor(math.log(s.high, base) + 1e-9)
  local every = math.max(1, math.ceil((last - first + 1) / math.max(2, wanted)))
  for e = first, last, every do
    s.ticks[#s.ticks + 1] = { base ^ e, units.short(base ^ e) }
  end
end

-- 1, 2, 5 in each power of ten, for less than two powers.
local function fine_ticks(s)
  s.ticks = {}
  for e = math.floor(math.log(s.low, 10)), math.ceil(math.log(s.high, 10)) do
    for _, m in ipairs { 1, 2, 5 } do
      local v = m * 10.0 ^ e
      if v >= s.low * (1 - 1e-9) and v <= s.high * (1 + 1e-9) then
        s.ticks[#s.ticks + 1] = { v, units.short(v) }
      end
    end
  end
end

local function logarithmic(s, low, high, wanted, base)
  if low == high then low, high = low / base, high * base end
  if base == 10 then
    -- up to the next of 1, 2, 5: whole powers would waste half of the plot
    high = nice(high)
    low = 1 / nice(1 / low)
  end
  s.low, s.high, s.log = low, high, true
  power_ticks(s, base, wanted)
  if base == 10 and #s.ticks < 3 then fine_ticks(s) end
end

local function named(s, names, wanted)
  s.low, s.high = 0.5, #names + 0.5
  local every = math.max(1, math.ceil(#names / math.max(2, wanted)))
  for i = 1, #names, every do s.ticks[#s.ticks + 1] = { i, names[i] } end
end

function scale.new(axis, values, wanted)
  local s = setmetatable({ ticks = {}, axis = axis }, meta)
  if axis.names then
    named(s, axis.names, wanted)
    return s
  end
  local low, high = extremes(values)
  low, high = axis.from or low, axis.to or high
  if low > high then low, high = 0, 1 end
  if axis.log and low > 0 then
    logarithmic(s, low, high, wanted, axis.log == 2 and 2 or 10)
  else
    linear(s, low, high, wanted)
  end
  return s
end

function methods:at(v)
  if self.log then
    if v <= 0 then return nil end
    return (math.log(v) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
  end
  return (v - self.low) / (self.high - self.low)
end

-- "threads per threadgroup", "time (ms)"
function scale.title(axis)
  local label = axis.label or ""
  if axis.unit then label = label == "" and axis.unit or label .. " (" .. axis.unit .. ")" end
  return label
end

return scale
