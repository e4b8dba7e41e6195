-- timing.lua - how long something takes, and how sure one can be.
--
--   local timing = require "lua.workload.timing"
--   local t = timing.measure(function(n) … return seconds_per_run end)
--   t.median, t.low, t.high     seconds; the median lies between low and high
--                               with 95 % certainty
--   t.spread                    the larger side of that interval, over the
--                               median
--
-- The idea: a run is repeated until the median is known well enough, or until
-- the budget of time is spent. The median, since a time is disturbed in one
-- direction only: an interrupt makes a run longer, nothing makes it shorter,
-- and a mean would carry all of that along. Runs that are shorter than the
-- clock and the launch can tell are batched: n of them make one sample.
local launches = require "mettle.commands"
local system = require "mettle.system"
local units = require "lua.text.units"

local timing = {}

timing.standard = {
  budget = 1,      -- seconds for all samples of one measurement
  warm = 0.05,     -- seconds of warm-up, at least one run
  sample = 0.002,  -- seconds one sample should take at least: batch up to it
  spread = 0.02,   -- good enough: the median is known to 2 %
  least = 5,       -- samples, unless the budget ends first
  most = 200,      -- samples
}

-- The most seconds of a measurement for a caller that wants to see that
-- something runs, not how long it takes (the linter of lessons). nil: the
-- budget holds.
timing.quick = nil

------------------------------------------------------------------- statistics

-- The middle of a sorted list; the mean of the two middle ones if even.
local function middle(sorted)
  local n = #sorted
  if n % 2 == 1 then return sorted[n // 2 + 1] end
  return (sorted[n // 2] + sorted[n // 2 + 1]) / 2
end

-- Which of n sorted samples enclose the median with 95 % certainty. Counting
-- alone decides it (how many of n throws of a coin show heads), so it holds
-- whatever the distribution. Fewer than six samples cannot give 95 %: then it
-- is the smallest and the largest.
local function ranks(n)
  if n < 6 then return 1, n end
  -- the chances get too small for a number; the normal curve is exact enough
  if n > 500 then
    local low = math.floor(n / 2 - 0.98 * math.sqrt(n))
    return low, n + 1 - low
  end
  local below, chance = -1, 0.5 ^ n
  local sum = chance
  while sum <= 0.025 do
    below = below + 1
    chance = chance * (n - below) / (below + 1)
    sum = sum + chance
  end
  local low = math.max(1, below + 1)
  return low, n + 1 - low
end

-- Sum up a list of samples in seconds.
function timing.summary(samples)
  local sorted = table.move(samples, 1, #samples, 1, {})
  table.sort(sorted)
  local n = #sorted
  if n == 0 then return nil end
  local low, high = ranks(n)
  local t = { median = middle(sorted), low = sorted[low], high = sorted[high],
    min = sorted[1], max = sorted[n], count = n, samples = samples }
  t.spread = t.median > 0 and math.max(t.high - t.median,
    t.median - t.low) / t.median or 0
  return t
end

------------------------------------------------------------------- measuring

local function settings(options)
  local s = {}
  for name, standard in pairs(timing.standard) do
    s[name] = options and options[name]
    if s[name] == nil then s[name] = standard end
  end
  if timing.quick then s.budget = math.min(s.budget, timing.quick) end
  s.progress, s.once = options and options.progress, options and options.once
  return s
end

-- Run once and more until it is warm; what one run takes, from the last.
local function warm_up(run, s)
  local start, seconds = system.now(), nil
  repeat seconds = run(1) until system.now() - start >= s.warm
  return math.max(seconds, 1e-9)
end

-- Is it time to look at the spread? Each time at first, then more rarely: to
-- sort 200 samples takes as long as a part of a short one.
local function due(n, s)
  return n >= s.least and (n < 16 or n % (n // 8) == 0)
end

local function done(samples, s, spent, longest)
  local n = #samples
  if n >= s.most then return true end
  if due(n, s) and timing.summary(samples).spread <= s.spread then
    return true
  end
  -- the next one must fit into the budget; three may take four times as much,
  -- and of what takes longer still a single one must do
  return n >= 1 and spent + longest > s.budget * (n < 3 and 4 or 1)
end

-- Raise what system.attempt has caught; nothing swallows a Ctrl-C.
function timing.fail(why)
  if why == "interrupted" then system.stop() end
  error(why, 0)
end

-- Measure 'run'. It is called with a number of repeats, does them, and returns
-- the seconds of one of them by the device's own clock and, second, by the
-- wall clock (the same if there is only one); third, how many it did if it was
-- fewer. If Ctrl-C comes in between, what was measured so far is returned, with
-- 'cut' set; if nothing was, it raises.
-- 'once', a known time of one run, says that it is warm already.
function timing.measure(run, options)
  local s = settings(options)
  local samples, walls, longest, batch, runs = {}, {}, 0, 1, 0
  local began = system.now()
  local quick = launches.measuring(true) -- launches wait for the optimised code
  local ok, why = system.attempt(function()
    local once = not quick and s.once or warm_up(run, s)
    batch = math.max(1, math.min(math.ceil(s.sample / once), 100000))
    local start = system.now()
    repeat
      local from = system.now()
      local seconds, wall, did = run(batch)
      longest = math.max(longest, system.now() - from)
      samples[#samples + 1], runs = seconds, runs + (did or batch)
      walls[#walls + 1] = wall or seconds
      local spent = system.now() - start
      if s.progress then s.progress(spent, s.budget) end
    until done(samples, s, spent, longest)
  end)
  launches.measuring(false)
  if not ok and (#samples == 0 or why ~= "interrupted") then
    timing.fail(why)
  end
  local t = timing.summary(samples)
  t.launched = timing.summary(walls)
  t.wall = t.launched.median
  t.batch, t.runs = batch, runs
  t.spent = system.now() - began
  t.cut = not ok or nil
  return t
end

-------------------------------------------------------------- launch overhead

local overheads = {} -- by device

local EMPTY = [=[
kernel void nothing(device uint *x [[buffer(0)]]) { }
]=]

-- What a launch costs that does nothing, with a single thread: 'launch' in
-- seconds for one alone, from its beginning to its end as r.wall tells it of
-- any launch, and 'each' for one of many in a batch. Measured once per device
-- and session; all that mentions the cost of a launch has it from here.
function timing.overhead()
  local name = gpu.device.name
  if overheads[name] then return overheads[name] end
  local k, x = gpu.kernel(EMPTY), gpu.buffer("uint", 1)
  local alone = timing.measure(function(n)
    local wall = 0
    for _ = 1, n do wall = wall + k { x, grid = 1, group = 1 }.wall end
    return wall / n
  end, { budget = 0.1, warm = 0.01, sample = 0.0005 })
  local batched = timing.measure(function(n)
    local r = k { x, grid = 1, group = 1, repeats = math.max(n, 100) }
    return r.time, r.wall
  end, { budget = 0.1, warm = 0.01, sample = 0.001 })
  -- the least that was seen: what disturbs a launch is not its cost, and so it
  -- is the same in every session; one of many cannot cost more than one alone
  overheads[name] = { launch = alone.min,
    each = math.min(batched.min, alone.min), device = name }
  return overheads[name]
end

-- In words; the same in every tool.
function timing.overhead_text(overhead)
  return ("a launch costs %s by itself, each of many in a batch %s"):format(
    units.time(overhead.launch), units.time(overhead.each))
end

-- A sentence if the time is mostly the cost of launching, else nil. 'launches'
-- is how many one run consists of; 'alone' says that they were not in a batch.
function timing.too_short(t, overhead, launches, alone)
  local cost = (alone and overhead.launch or overhead.each) * (launches or 1)
  if t.median >= 4 * cost then return nil end
  return (
    "too short to measure: of these %s, %s is launching%s; "
      .. "give it more work"):format(units.time(t.median),
    units.time(math.min(cost, t.median)), alone and "" or " in a batch")
end

----------------------------------------------------------------------- physics

-- A sentence if the figure is more than the machine can do, else nil. What is
-- above 'peak' by more than measuring errors explain is not a record but a
-- mistake: of the byte count, of the clock, or a kernel that did not run.
function timing.impossible(rate, peak, what, unit)
  if not (rate and peak and peak > 0) or rate <= peak * 1.25 then return nil end
  return (
    "%s is more than the %s of this machine (%s): not a record but a mistake "
      .. "in counting, or the data fits in a cache")
    :format(units.rate(rate, unit), what, units.rate(peak, unit))
end

-- "1.23 ms ± 0.5 %"
function timing.text(t)
  return units.time(t.median) .. " ± " .. units.percent(t.spread)
end

return timing
