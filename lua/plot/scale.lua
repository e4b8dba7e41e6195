-- scale.lua - one axis of a plot: where a value stands, which values are named.
--
--   local s = scale.new({ log = 2 }, values, 6)
--   s:at(v)      0 at the low end, 1 at the high end; nil if it has no place
--   s.ticks      list of {value, text}, at most about so many
--   s:place(t)   where a tick stands, as s:at
--
-- An axis is {label, unit, log = true | 2 | 10, from, to, whole, names};
-- 'whole' names whole numbers only. With 'names' it
-- has no numbers: values are 1, 2, 3 … and stand side by side under their
-- names.
--
-- Every finite number has its place, from 5e-324 to 1.8e308. Differences and
-- steps of the largest and the smallest are no numbers any more, so a linear
-- axis counts in units of 10^s.power, which is 1 for all but those.
local units = require "lua.text.units"

local scale = {}
local methods = {}
local meta = { __index = methods }

local LEAST, MOST = 5e-324, 0x1.fffffffffffffp1023

local function is_finite(v) return v == v and v >= -MOST and v <= MOST end

local function extremes(values)
  local low, high = math.huge, -math.huge
  for _, v in ipairs(values) do
    if is_finite(v) then low, high = math.min(low, v), math.max(high, v) end
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

-- The same from v downwards; v itself where numbers get coarse.
local function nice_below(v)
  local power = 10.0 ^ math.floor(math.log(v, 10) + 1e-9)
  for _, m in ipairs { 5, 2, 1 } do
    if power > 1e-300 and m * power * (1 - 1e-9) <= v then return m * power end
  end
  return v
end

---------------------------------------------------------------------- linear

-- v · 10^-power; in two steps, since 10^324 is no number.
local function in_units(v, power)
  if power == 0 then return v end
  local half = power // 2
  return v / 10.0 ^ half / 10.0 ^ (power - half)
end

local function text_of(v, power)
  if power == 0 or v == 0 then return units.short(v) end
  local e = math.floor(math.log(math.abs(v), 10) + 1e-9)
  return ("%.3ge%+d"):format(v / 10.0 ^ e, power + e)
end

local function power_for(low, high)
  local size = math.max(math.abs(low), math.abs(high))
  if size == 0 or (size < 1e290 and size > 1e-290) then return 0 end
  return math.floor(math.log(size, 10))
end

local function linear(s, low, high, wanted)
  s.power = power_for(low, high)
  low, high = in_units(low, s.power), in_units(high, s.power)
  if low == high then
    local d = low == 0 and 1 or math.abs(low) / 2
    low, high = low - d, high + d
  end
  local step = nice((high - low) / math.max(1, wanted - 1))
  if s.axis.whole and s.power == 0 then step = math.max(1.0, step) end
  s.low, s.high = math.floor(low / step + 1e-9) * step,
    math.ceil(high / step - 1e-9) * step
  -- next to each other, as numbers go
  if not (s.low < s.high) then s.low, s.high = low, high end
  for i = 0, math.floor((s.high - s.low) / step + 0.5) do
    local v = s.low + i * step
    if math.abs(v) < step * 1e-9 then v = 0.0 end
    -- its place is said: beyond the last number it is no number any more
    s.ticks[#s.ticks + 1] = { in_units(v, -s.power), text_of(v, s.power),
      at = (v - s.low) / (s.high - s.low) }
  end
end

----------------------------------------------------------------- logarithmic

local function power_text(base, e)
  if base == 10 and math.abs(e) > 15 then return ("1e%+d"):format(e) end
  return units.short(base ^ e)
end

local function power_ticks(s, base, wanted)
  local first = math.ceil(math.log(s.low, base) - 1e-9)
  local last = math.floor(math.log(s.high, base) + 1e-9)
  local every = math.max(1, math.ceil((last - first + 1) / math.max(2, wanted)))
  for e = first, last, every do
    local v = base ^ e
    if v > 0 and v <= MOST then
      s.ticks[#s.ticks + 1] = { v, power_text(base, e) }
    end
  end
end

-- 1, 2, 5 in each power of ten, for less than two powers.
local function fine_ticks(s)
  s.ticks = {}
  for e = math.floor(math.log(s.low, 10)), math.ceil(math.log(s.high, 10)) do
    for _, m in ipairs { 1, 2, 5 } do
      local v = m * 10.0 ^ e
      if v >= s.low * (1 - 1e-9) and v <= s.high * (1 + 1e-9) and is_finite(v)
        and v > 0 then
        s.ticks[#s.ticks + 1] = { v, units.short(v) }
      end
    end
  end
end

local function logarithmic(s, low, high, wanted, base)
  if base == 10 then
    -- up to the next of 1, 2, 5: whole powers would waste half of the plot
    high = math.min(MOST, nice(high))
    low = nice_below(low)
  end
  if not (math.log(low) < math.log(high)) then
    low, high = math.max(LEAST, low / base), math.min(MOST, high * base)
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
  local s = setmetatable({ ticks = {}, axis = axis, power = 0 }, meta)
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
  if not is_finite(v) or (self.log and v <= 0) then return nil end
  if self.log then
    return (math.log(v) - math.log(self.low)) / (
      math.log(self.high) - math.log(self.low))
  end
  return (in_units(v, self.power) - self.low) / (self.high - self.low)
end

function methods:place(tick) return tick.at or self:at(tick[1]) end

-- "threads per threadgroup", "time (ms)"
function scale.title(axis)
  local label = axis.label or ""
  if axis.unit then
    label = label == "" and axis.unit or label .. " (" .. axis.unit .. ")"
  end
  return label
end

return scale
