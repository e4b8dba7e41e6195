-- contest.lua - which of two times is the shorter one, and whether that can be
-- told.
--
--   contest.of(a, b)      a beside b: { kind, ratio, low, high }; 'ratio' is
--                         how many times as fast a is, and lies between low and
--                         high; kind is "faster", "slower", "same" or "unknown"
--   contest.text(a, b)    the same in words: "3.2× faster", "≥ 2.0× faster",
--                         "as fast", "cannot tell"
--   contest.best(list)    the shortest of several, what cannot be told from it,
--                         and whether those are all as fast
--   contest.reaches(t, aim)   is a ratio at least so large? true, false or nil
--   contest.advice(budget)    what to do where it cannot be told
--   contest.noisy(t)      is its median known so badly that it must be said?
--
-- A time is { median =, low =, high =, count = } as lua/workload/timing.lua
-- gives it. The idea: a median is known as well as its interval says, and no
-- better. Where two intervals overlap either may be the faster one, so there is
-- no ratio, no star and no order. Everything that compares times asks here.
local units = require "lua.text.units"

local contest = {}

local SAME = 0.05    -- medians this near are the same, if the interval is
local NEAR = 0.1     -- within this of 1
local FEW = 3        -- samples; fewer have no interval of their own:
local UNKNOWN = 1.25 -- they may be off by this factor
local WIDE = 2       -- a ratio this uncertain is told by its smaller end
local NOISY = 0.25   -- a spread worth a word

-- The interval that the median lies in.
local function ends(t)
  local low, high = t.low or t.median, t.high or t.median
  if (t.count or t.runs or FEW) < FEW then
    low = math.min(low, t.median / UNKNOWN)
    high = math.max(high, t.median * UNKNOWN)
  end
  return math.max(low, 1e-12), math.max(high, 1e-12)
end

local function kind_of(v)
  local near = v.low >= 1 - NEAR and v.high <= 1 / (1 - NEAR)
  if near and math.abs(v.ratio - 1) < SAME then return "same" end
  return v.low > 1 and "faster" or v.high < 1 and "slower" or "unknown"
end

function contest.of(a, b)
  local a_low, a_high = ends(a)
  local b_low, b_high = ends(b)
  local v = { ratio = b.median / math.max(a.median, 1e-12),
    low = b_low / a_high, high = b_high / a_low }
  v.kind = kind_of(v)
  return v
end

function contest.is_known(a, b) return contest.of(a, b).kind ~= "unknown" end

-- "3.2×"
local function times(by)
  return (by < 9.95 and ("%.1f"):format(by) or units.count(by)) .. "×"
end

-- A ratio that is known: "3.2× faster", "1.5× slower", "as fast".
function contest.times(ratio)
  if math.abs(ratio - 1) < SAME then return "as fast" end
  return ratio >= 1 and times(ratio) .. " faster" or times(1 / ratio)
    .. " slower"
end

-- Its text; a ratio that is known badly is told by the end nearer to 1.
function contest.words(v)
  if v.kind == "unknown" then return "cannot tell" end
  if v.kind == "same" then return "as fast" end
  local least = v.kind == "faster" and v.low or v.high
  local wide = v.high / v.low > WIDE
  if wide and math.abs(least - 1) < SAME then return v.kind end
  return (wide and "≥ " or "") .. contest.times(wide and least
    or v.ratio)
end

function contest.text(a, b) return contest.words(contest.of(a, b)) end

-- Of a list of times: the one with the least median; a list of the others that
-- may be as fast, in order; and true if all of these are known to be.
function contest.best(list)
  local best
  for _, t in ipairs(list) do
    if t.median and (not best or t.median < best.median) then best = t end
  end
  local rivals, same = {}, true
  for _, t in ipairs(list) do
    local kind = best and t ~= best and t.median
      and contest.of(best, t).kind
    if kind == "unknown" or kind == "same" then
      rivals[#rivals + 1] = t
      same = same and kind == "same"
    end
  end
  return best, rivals, #rivals > 0 and same
end

-- Of the summary of ratios, measured pair by pair: is the true one at least
-- 'aim'? nil: it cannot be told.
function contest.reaches(t, aim)
  local low, high = ends(t)
  if low >= aim then return true end
  if high < aim then return false end
  if high / low > 1 + SAME * 10 then return nil end -- known to a half
  return t.median >= aim
end

-- The geometric mean of ratios { low, ratio, high } as one; nil: there is none.
function contest.mean(list)
  if #list == 0 then return nil end
  local v = {}
  for _, key in ipairs { "low", "ratio", "high" } do
    local sum = 0
    for _, one in ipairs(list) do sum = sum + math.log(one[key]) end
    v[key] = math.exp(sum / #list)
  end
  v.kind = kind_of(v)
  return v
end

function contest.noisy(t) return (t.spread or 0) > NOISY end

-- "close other programs, or measure longer: budget = 5"
function contest.advice(budget)
  local usual = require("lua.workload.timing").standard.budget
  local more = math.max(5, 5 * (budget or usual))
  return ("close other programs, or measure longer: budget = %g"):format(more)
end

-- What is said of a time that is known badly.
function contest.noise(name, t, budget)
  return ("the times of %s differ by ±%s: this machine does other "
    .. "things too; %s")
    :format(name, units.percent(t.spread), contest.advice(budget))
end

-- "a, b and 3 more"
function contest.names(list)
  local some = {}
  for i = 1, math.min(#list, 6) do some[i] = list[i].name end
  if #list > 6 then
    return ("%s and %d more"):format(table.concat(some, ", "), #list - 6)
  end
  return #some < 2 and some[1] or table.concat(some, ", ", 1, #some - 1)
    .. " and " .. some[#some]
end

return contest
