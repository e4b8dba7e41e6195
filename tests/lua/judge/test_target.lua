-- test_target.lua - targets and scores over counters that are made up: which
-- figure is taken, of which launch, beside which limit, and in which words; and
-- how fast is fast enough, by times that are made up (of no device).
--
-- Guards: lua/judge/target.lua: each figure, limit and sentence
local t = dofile "tests/tap.lua"
local contest = require "lua.workload.contest"
local kernels = require "lua.workload.kernels"
local system = require "mettle.system"
local target = require "lua.judge.target"
local task = require "lua.judge.task"

-------------------------------------------------------------------- stand-ins

-- A kernel is a list of counters, one for each of its launches.
local launched -- kernels that were launched to get to the next step
local sizes    -- of each workload that was made, as text
local resets = 0
local function of_data(name, data, s, kernel)
  sizes[#sizes + 1] = kernels.sizes_text(s)
  local p = { steps = {}, reset = function() resets = resets + 1 end }
  for i, counts in ipairs(kernel.counts) do
    p.steps[i] = { launch = counts, kernel = function()
      launched[#launched + 1] = i
    end }
  end
  return p
end

package.loaded["lua.profile.profile"] = {
  counts = function(_, launch) return launch end }

local function kernel(...) return { counts = { ... } } end

-- The counters of a launch: 'total' and what else there is of it.
local function counters(total, more)
  local c = { total = total, threads = 64, groups = 4, simdgroups = 2,
    busiest = { instructions = 30, device_reads = 3, device_writes = 2 },
    threadgroup_bytes = 256 }
  for key, v in pairs(more or {}) do c[key] = v end
  return c
end

local lesson = { data = { kernel = "k", cases = { { n = 1 }, { n = 8 } } },
  solution = "ours" }

-- What is raised, word for word.
local function raises(words, f, ...)
  local ok, why = pcall(f, ...)
  t.equal(ok, false)
  t.equal(why, words)
end

local function judge(wanted, mine, ours)
  launched, sizes = {}, {}
  local real = kernels.of_data
  kernels.of_data = of_data
  local ok, passed, line, why = pcall(target.judge, lesson, wanted, mine,
    function(_, source, name)
      t.equal(source, "ours")
      t.equal(name, "solution.metal")
      if not ours then return nil, { lines = { "no", "way" } } end
      return ours
    end)
  kernels.of_data = real
  if not ok then error(passed, 0) end
  return passed, line, why
end

-- The figure as it is shown.
local function figure(wanted, ...)
  wanted.at_most = wanted.at_most or 1e9
  local _, line = judge(wanted, kernel(...))
  return line:match ": ([^ ]+) %(asked"
end

---------------------------------------------------------------------- figures

t.test("a figure for all, per thread, SIMD-group or threadgroup", function()
  local c = counters { device_reads = 640 }
  t.equal(figure({ profile = "device_reads" }, c), "640")
  t.equal(figure({ profile = "device_reads", per = "thread" }, c), "10")
  t.equal(figure({ profile = "device_reads", per = "group" }, c), "160")
  t.equal(figure({ profile = "device_reads", per = "threadgroup" }, c), "160")
  t.equal(figure({ profile = "device_reads", per = "simdgroup" }, c), "320")
  c.threads, c.groups = 0, 1
  t.equal(figure({ profile = "device_reads", per = "thread" }, c), "640")
  t.equal(figure({ profile = "device_reads", per = "group" }, c), "640")
end)

t.test("a figure of the busiest thread", function()
  local c = counters { issued = { a = 1, b = 2 } }
  t.equal(figure({ profile = "issued", per = "busiest thread" }, c), "30")
  t.equal(figure({ profile = "device_reads", per = "busiest thread" }, c), "3")
  t.equal(figure({ profile = "device_writes", per = "busiest thread" }, c), "2")
end)

t.test("figures that are made of several counters", function()
  local c = counters { issued = { load = 10, barrier = 6 }, lines = 12,
    lanes = { load = 320, barrier = 64 }, lines_ideal = 8, banks = 9,
    banks_ideal = 3, branches = 8, divergent = 2 }
  t.equal(figure({ profile = "issued" }, c), "16")
  t.equal(figure({ profile = "barriers" }, c), "6")
  t.equal(figure({ profile = "barriers", per = "group" }, c), "1.5")
  t.equal(figure({ profile = "barriers", per = "thread" }, c), "1")
  t.equal(figure({ profile = "active" }, c), "0.75")
  t.equal(figure({ profile = "active", per = "thread" }, c), "0.75")
  t.equal(figure({ profile = "lines_over_ideal" }, c), "1.5")
  t.equal(figure({ profile = "banks_over_ideal" }, c), "3")
  t.equal(figure({ profile = "divergent" }, c), "0.25")
  t.equal(figure({ profile = "threadgroup_bytes" }, c), "256")
  c.total.lines_ideal, c.total.branches = 0, 0
  t.equal(figure({ profile = "lines_over_ideal" }, c), "1")
  t.equal(figure({ profile = "divergent" }, c), "0")
  c.total.lines_ideal, c.total.branches, c.total.divergent = 1, 1, 1
  t.equal(figure({ profile = "lines_over_ideal" }, c), "12")
  t.equal(figure({ profile = "divergent" }, c), "1")
  raises("profile counts no 'nothing'", judge,
    { profile = "nothing", at_most = 1 }, kernel(c))
end)

t.test("of several launches the sum counts, or the worst share", function()
  local a = counters { lines = 4, lines_ideal = 4, device_reads = 5 }
  local b = counters { lines = 9, lines_ideal = 3, device_reads = 7 }
  local c = counters { lines = 4, lines_ideal = 2, device_reads = 1 }
  t.equal(figure({ profile = "device_reads" }, a, b, c), "13")
  t.equal(table.concat(launched, " "), "1 2 3", "each needs the one before")
  t.equal(figure({ profile = "lines_over_ideal" }, a, b, c), "3")
  t.equal(figure({ profile = "lines_over_ideal", at_least = 1 }, b, a, c), "1")
  t.equal(figure({ profile = "lines_over_ideal" }, a), "1")
  t.equal(#launched, 0, "a single launch need not run for another")
end)

t.test("the last case is measured, or the size that is named", function()
  local c = counters { device_reads = 1 }
  figure({ profile = "device_reads" }, c)
  t.equal(table.concat(sizes, " "), "n = 8")
  figure({ profile = "device_reads", size = { n = 3 } }, c)
  t.equal(table.concat(sizes, " "), "n = 3")
end)

t.test("a kernel is counted once at each size", function()
  local k, before = kernel(counters { device_reads = 1 }), resets
  for _, profile in ipairs { "device_reads", "device_reads" } do
    judge({ profile = profile, at_most = 1 }, k)
  end
  t.equal(resets - before, 1)
  judge({ profile = "device_reads", at_most = 1, size = { n = 9 } }, k)
  t.equal(resets - before, 2)
end)

---------------------------------------------------------------------- verdicts

t.test("at most, at least, and as many times as our solution", function()
  local k = kernel(counters { device_reads = 10 })
  local function at(wanted, ours)
    wanted.profile, wanted.say = "device_reads", "Say."
    return judge(wanted, k, ours)
  end
  local ok, line, why = at { at_most = 10 }
  t.equal(ok, true)
  t.equal(line, "device reads: 10 (asked: at most 10).")
  t.equal(why, nil)
  ok, line, why = at { at_most = 9 }
  t.equal(ok, false)
  t.equal(line, "Correct, but still too expensive: device reads: 10 "
    .. "(asked: at most 9).")
  t.equal(why, "Say.")
  ok, line = at { at_least = 10 }
  t.equal(ok, true)
  t.equal(line, "device reads: 10 (asked: at least 10).")
  t.equal((at { at_least = 11 }), false)
  t.equal((at { at_least = 10, at_most = 9 }), false)
  t.equal((at { at_least = 9, at_most = 11 }), true)
  local ours = kernel(counters { device_reads = 5 })
  ok, line = at({ of_solution = 2 }, ours)
  t.equal(ok, true)
  t.equal(line, "device reads: 10 (asked: at most 2 times our 5).")
  t.equal((at({ of_solution = 1.5 }, ours)), false)
  raises("no\nway", at, { of_solution = 2 })
end)

t.test("our solution is compiled once for a target", function()
  local wanted = { profile = "device_reads", of_solution = 1 }
  local k = kernel(counters { device_reads = 5 })
  t.equal((judge(wanted, k, k)), true)
  t.equal((judge(wanted, k, nil)), true)
end)

t.test("names of figures", function()
  t.equal(target.name { profile = "issued" }, "instructions")
  t.equal(target.name { profile = "lines", per = "group" },
    "lines of memory per group")
  t.equal(target.name { profile = "device_reads", per = "busiest thread" },
    "device reads of the busiest thread")
  t.equal(target.name { profile = "device_reads", per = "thread" },
    "device reads per thread")
  t.equal(target.name { profile = "issued", counts = "steps" }, "steps")
  for profile, name in pairs { banks = "bank passes",
    group_reads = "reads of threadgroup memory",
    threadgroup_bytes = "bytes of threadgroup memory",
    occupancy = "threads that a core holds at once" } do
    t.equal(target.name { profile = profile }, name)
  end
end)

t.test("a score is ours and the kernel's", function()
  local real = kernels.of_data
  kernels.of_data, sizes, launched = of_data, {}, {}
  local function compile() return kernel(counters { device_reads = 4 }) end
  local wanted = { profile = "device_reads" }
  local mine, ours = target.score(lesson, wanted,
    kernel(counters { device_reads = 6 }), compile)
  t.equal(mine, 6.0)
  t.equal(ours, 4.0)
  mine, ours = target.score(lesson, wanted, nil, compile)
  t.equal(mine, nil)
  t.equal(ours, 4.0)
  kernels.of_data = real
end)

t.test("without the profiler nothing is judged", function()
  local real = package.loaded["lua.profile.profile"]
  package.loaded["lua.profile.profile"] = {}
  local ok, line, why = target.judge(lesson, { profile = "issued" }, {})
  t.equal(ok, nil)
  t.equal(line, nil)
  t.equal(why, "profile{…} is not in this build")
  local mine, ours
  mine, ours, why = target.score(lesson, { profile = "issued" }, {})
  t.ok(mine == nil and ours == nil)
  t.equal(why, "profile{…} is not in this build")
  package.loaded["lua.profile.profile"] = real
  raises("a target of the lesson has neither 'profile' nor 'faster_than'",
    target.judge, lesson, {})
end)

---------------------------------------------------------------------- mistakes

t.test("targets that make no sense", function()
  local function mistake(wanted) return target.mistake(wanted) end
  t.equal(mistake { faster_than = "start.metal" }, nil)
  t.equal(mistake { faster_than = 5 }, "faster_than must name a file")
  t.equal(mistake {}, "a target has 'profile' or 'faster_than'")
  t.equal(mistake { profile = "issued" },
    "issued needs at_most, at_least or of_solution, a number")
  t.equal(mistake { profile = "issued", at_most = "3" },
    "issued needs at_most, at_least or of_solution, a number")
  t.equal(mistake { profile = "issued", at_least = 3 },
    "issued needs say: a sentence that tells why")
  for _, key in ipairs { "at_most", "at_least", "of_solution" } do
    t.equal(mistake { profile = "issued", [key] = 3, say = "x" }, nil)
  end
  t.has(mistake { profile = "occupancy", at_least = 3, say = "x", gpu = "Z9" },
    "Z9")
  t.equal(mistake { profile = "occupancy", at_least = 3, say = "x",
    gpu = "M1" }, nil)
  for _, per in ipairs { "thread", "group", "threadgroup", "simdgroup",
    "busiest thread" } do
    t.equal(mistake { profile = "issued", at_most = 3, say = "x", per = per },
      nil)
  end
  t.equal(mistake { profile = "issued", at_most = 3, say = "x", per = "line" },
    "nothing is counted per 'line'")
  t.equal(mistake { profile = "lines", at_most = 3, say = "x",
    per = "busiest thread" }, "no 'lines' is counted for each thread")
end)

------------------------------------------------------------------------- times

t.test("a ratio that is reached, missed, or cannot be told", function()
  local wanted = { faster_than = "start.metal", say = "Do less." }
  local function told(low, median, high, aim)
    return target.judge_ratio({ low = low, median = median, high = high,
      count = 9 }, aim, wanted, "n = 8")
  end
  local ok, line = told(1.9, 2, 2.1, 1.5)
  t.equal(ok, true)
  t.equal(line, "2.00× as fast as start.metal for n = 8 (asked: 1.50×).")
  ok, line = told(1.1, 1.2, 1.3, 1.5)
  t.equal(ok, false)
  t.equal(line, "Correct, but still too slow: 1.20× as fast as start.metal "
    .. "for n = 8 (asked: 1.50×). Do less.")
  wanted.say = nil
  ok, line = told(1.1, 1.2, 1.3, 1.5)
  t.has(line, "(asked: 1.50×).")
  t.equal(line:sub(-1), ".")
  ok, line = told(1, 1.6, 3, 1.5)
  t.equal(contest.reaches({ low = 1, median = 1.6, high = 3, count = 9 }, 1.5),
    nil)
  t.equal(ok, false)
  t.has(line, "cannot be told: between 1.00× and 3.00× as fast as start.metal")
end)

-- Kernels that take these seconds, one after the other; the last for good.
local function timed(list)
  local p = { runs = {} }
  function p:run(n)
    self.runs[#self.runs + 1] = n
    return list[math.min(#self.runs, #list)]
  end
  p.reset = function() p.was_reset = true end
  return p
end

local function race(mine, other, wanted, clock)
  local real, read, now = kernels.of_data, task.read, system.now
  local time = 0
  kernels.of_data = function(_, _, _, k) return k end
  task.read = function(path)
    t.equal(path, "folder/start.metal")
    return "theirs"
  end
  system.now = function() time = time + (clock or 0) return time end
  local l = { folder = "folder", data = { cases = { { n = 5 } } } }
  local done, ok, line = pcall(target.judge, l, wanted, mine,
    function(_, source)
      t.equal(source, "theirs")
      if not other then return nil, { lines = { "it", "fails" } } end
      return other
    end)
  kernels.of_data, task.read, system.now = real, read, now
  if not done then error(ok, 0) end
  return ok, line
end

t.test("two kernels run in turn", function()
  local mine, other = timed { 0.002 }, timed { 0.004 }
  local ok, line = race(mine, other, { faster_than = "start.metal", by = 1.5 })
  t.equal(ok, true)
  t.equal(line, "2.00× as fast as start.metal for n = 5 (asked: 1.50×).")
  t.ok(mine.was_reset and other.was_reset)
  -- two runs that count, and nine rounds
  t.equal(table.concat(mine.runs, " "), "1 1" .. (" 5"):rep(9))
  t.equal(table.concat(other.runs, " "), "1 1" .. (" 2"):rep(9))
  t.equal((race(timed { 0.002 }, timed { 0.004 },
    { faster_than = "start.metal" })), true)
  t.equal((race(timed { 0.004 }, timed { 0.004 },
    { faster_than = "start.metal" })), true, "as fast is enough")
  t.equal((race(timed { 0.005 }, timed { 0.004 },
    { faster_than = "start.metal" })), false)
  raises("it\nfails", race, timed { 1 }, nil, { faster_than = "start.metal" })
end)

t.test("near the aim there are more rounds", function()
  local function rounds(ratio, aim, clock)
    local mine = timed { 0.004 }
    race(mine, timed { 0.004 * ratio }, { faster_than = "start.metal",
      by = aim }, clock)
    return #mine.runs - 2
  end
  t.equal(rounds(2, 1), 9)
  t.equal(rounds(1.05, 1), 24)
  t.equal(rounds(0.95, 1), 24)
  t.equal(rounds(0.75, 1), 24)
  t.equal(rounds(0.6, 1), 9)
  t.equal(rounds(1, 1, 4), 3, "no more than three seconds, and three rounds")
  t.equal(rounds(1, 1, 0.7), 5)
end)

t.test("what one round took does not count", function()
  local function more(...) -- times of rounds after the two that count
    local mine = timed { 0.004, 0.004, ... }
    return (race(mine, timed { 0.004 }, { faster_than = "start.metal",
      by = 1.001 })), #mine.runs - 2
  end
  -- the fifth of nine sorted ratios, 2, decides that no more are needed
  local ok, rounds = more(0.002, 0.2, 0.002, 0.2, 0.002, 0.2, 0.002, 0.2, 0.002)
  t.equal(rounds, 9)
  t.equal(ok, false, "and nothing is told of what is that uncertain")
  ok, rounds = more(0.2, 0.2, 0.2, 0.2, 0.004, 0.002, 0.002, 0.002, 0.002)
  t.equal(rounds, 24, "the middle one is near the aim")
end)

t.test("a round takes a hundredth of a second", function()
  local function runs(...)
    local mine = timed { ... }
    race(mine, timed { 1 }, { faster_than = "start.metal" })
    return mine.runs[3]
  end
  t.equal(runs(0.005), 2)
  t.equal(runs(0.005, 0.001), 10, "by the shorter of two")
  t.equal(runs(0.001, 0.005), 10)
  t.equal(runs(0.02), 1)
  t.equal(runs(0.0000001), 1000)
  t.equal(runs(0), 1000)
end)

t.done()
