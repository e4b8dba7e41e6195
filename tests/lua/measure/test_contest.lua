-- test_contest.lua - what is said of times, with times that are made up, never
-- with real ones: of no device.
--
-- Guards: lua/workload/contest.lua and all that judges times (compare, sweep,
-- cards, tasks of lessons, gpu.peaks), with times that are made up: no ratio,
-- star or order where intervals overlap; first launches are marked
local t = dofile "tests/tap.lua"
local timing = require "lua.workload.timing"
local contest = require "lua.workload.contest"

-- A time with its interval, in percent of the median to each side.
local function time(median, percent, samples, name)
  return { median = median, low = median / (1 + percent / 100),
    high = median * (1 + percent / 100), spread = percent / 100,
    count = samples or 20, name = name }
end

------------------------------------------------------------------ two times

t.test("intervals that are apart have a ratio", function()
  t.equal(contest.text(time(1, 1), time(3.2, 1)), "3.2× faster")
  t.equal(contest.text(time(3.2, 1), time(1, 1)), "3.2× slower")
  t.equal(contest.text(time(1, 1), time(1234.5, 1)), "1,234× faster")
end)

t.test("the same is the same only where both are known well", function()
  t.equal(contest.text(time(1, 1), time(1.02, 1)), "as fast")
  t.equal(contest.text(time(1, 30), time(1.02, 1)), "cannot tell")
  t.equal(contest.text(time(1, 1), time(1, 200)), "cannot tell")
end)

t.test("intervals that overlap cannot be told apart", function()
  t.equal(contest.text(time(1, 98), time(209, 3246 * 100)), "cannot tell")
  t.equal(contest.text(time(1, 40), time(1.6, 40)), "cannot tell")
  t.equal(contest.text(time(1.6, 40), time(1, 40)), "cannot tell")
  t.equal(contest.text(time(1, 4), time(1.07, 4)), "cannot tell")
end)

t.test("a ratio that is known badly is told by its smaller end", function()
  t.equal(contest.text(time(1, 98), time(209, 3246)), "≥ 3.2× faster")
  t.equal(contest.text(time(209, 3246), time(1, 98)), "≥ 3.2× slower")
  t.equal(contest.text(time(1, 50), time(2.3, 50)), "faster")
end)

t.test("one run or two have no interval of their own", function()
  t.equal(contest.text(time(1, 0, 1), time(1.1, 0, 1)), "cannot tell")
  t.equal(contest.text(time(1, 0, 1), time(1.5, 0, 1)), "cannot tell")
  t.equal(contest.text(time(1, 0, 1), time(3, 0, 1)), "≥ 1.9× faster")
  t.equal(contest.text({ median = 1, runs = 1 }, { median = 2, runs = 1 }),
    "≥ 1.3× faster")
  t.equal(contest.text({ median = 1 }, { median = 2 }), "2.0× faster",
    "an old card, without intervals")
end)

t.test("whatever the times, at most one of two is faster", function()
  local opposite = { faster = "slower", slower = "faster", same = "same",
    unknown = "unknown" }
  local state = 7
  local function random()
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  end
  for _ = 1, 2000 do
    local a = time(10 ^ (4 * random()), 100 * random() ^ 3, 1 + state % 9)
    local b = time(10 ^ (4 * random()), 100 * random() ^ 3, 1 + state % 7)
    local v, w = contest.of(a, b), contest.of(b, a)
    t.ok(v.low <= v.ratio and v.ratio <= v.high)
    if v.kind ~= "same" and w.kind ~= "same" then
      t.equal(w.kind, opposite[v.kind])
    end
    if v.kind == "faster" then t.ok(a.high <= b.low) end
  end
end)

------------------------------------------------------------- the best of many

t.test("the best is one that nothing can be confused with", function()
  local list = { time(3, 1), time(1, 1), time(2, 1) }
  local best, rivals, alike = contest.best(list)
  t.equal(best, list[2]); t.equal(#rivals, 0); t.equal(alike, false)
  list[4] = time(1.5, 80)
  best, rivals, alike = contest.best(list)
  t.equal(best, list[2]); t.equal(rivals[1], list[4]); t.equal(alike, false)
  list[4] = time(1.01, 1)
  best, rivals, alike = contest.best(list)
  t.equal(rivals[1], list[4]); t.equal(alike, true)
  t.equal((contest.best {}), nil)
end)

t.test("an aim is reached, missed, or it cannot be told", function()
  local function of(...) return timing.summary { ... } end
  t.equal(contest.reaches(of(2, 2.1, 1.9, 2, 2, 2.05), 1.5), true)
  t.equal(contest.reaches(of(1.2, 1.1, 1.2, 1.15, 1.2, 1.2), 1.5), false)
  t.equal(contest.reaches(of(0.3, 9, 1.6, 0.2, 14, 1.4), 1.5), nil)
  t.equal(contest.reaches(of(1.45, 1.55, 1.52, 1.49, 1.51, 1.53), 1.5), true,
    "near it the median decides, if it is known well")
end)

----------------------------------------------- who uses it, with made-up times

local N = 64
local source = [=[
kernel void f(device const float *a, device const float *b, device float *c,
              uint i [[thread_position_in_grid]]) { c[i] = a[i] + b[i]; }
]=]
local a, b, c = gpu.buffer(N):random(1), gpu.buffer(N):random(2), gpu.buffer(N)

-- The kernel, once all is measured that is measured once; a test that asks for
-- it without LLVM is left out.
local kernel
local function ready()
  if kernel then return kernel end
  kernel = gpu.kernel(source)
  gpu.peaks()
  timing.overhead()
  return kernel
end

-- Calls f while each measurement gives the next of these times.
local function with_times(times, f)
  local measure, n = timing.measure, 0
  timing.measure = function(run)
    run(1)
    n = n + 1
    local one = times[math.min(n, #times)]
    return { median = one.median, low = one.low, high = one.high,
      spread = one.spread, count = one.count, runs = 100, wall = one.median,
      launched = one, min = one.low, samples = {} }
  end
  local ok, r = pcall(f)
  timing.measure = measure
  if not ok then error(r, 0) end
  return r
end

local function compared(...)
  local times, k = { ... }, ready()
  return with_times(times, function()
    return compare { k, a, b, c, grid = N, cpu = cpu.add, budget = 0.01 }
  end)
end

-- The lines of a table's rows for the CPU.
local function cpu_lines(text)
  local lines = {}
  for line in text:gmatch "[^\n]+" do
    if line:find "^  CPU" and not line:find "[█▏]" then
      lines[#lines + 1] = line
    end
  end
  return table.concat(lines, "\n")
end

t.test("compare: a clear difference has its ratio, and no warning", function()
  local text = tostring(compared(time(1e-3, 1), time(3e-3, 1)))
  t.has(cpu_lines(text), "3.0× faster")
  t.ok(not text:find "cannot tell", text)
end)

t.test("compare: an overlap has no ratio, and says what to do", function()
  local r = compared(time(1e-3, 98), time(209e-3, 324600))
  local text = tostring(r)
  t.has(cpu_lines(text), "cannot tell")
  t.ok(not cpu_lines(text):find "[%d]×", text)
  t.has(text, "budget = 5"); t.has(text, "close other programs")
  local known = {} -- the device's own rows are beside nothing
  for _, row in ipairs(r.rows) do known[#known + 1] = row.known end
  t.ok(#known > 0)
  for _, is in ipairs(known) do t.equal(is, false) end
end)

local function swept(...)
  local times, k = { ... }, ready()
  return with_times(times, function()
    return sweep { k, a, b, c, grid = N, cpu = cpu.add, budget = 0.01,
      group_sizes = { 8, 16, 32 } }
  end)
end

t.test("sweep: a star for what is the best", function()
  local r = swept(time(3e-3, 1), time(1e-3, 1), time(2e-3, 1))
  t.equal(r.certain, true); t.equal(r.best.name, "16")
  t.has(tostring(r), "★ best: 16, 1.00 ms")
end)

t.test("sweep: none where the intervals overlap", function()
  local r = swept(time(777e-6, 1316), time(800e-6, 2), time(900e-6, 3))
  local text = tostring(r)
  t.equal(r.certain, false)
  t.ok(not text:find "★", text)
  t.has(text, "cannot tell which is best: the intervals of 8, 16 and 32")
  t.has(text, "budget = 5")
  t.ok(not text:find "best is", text)
end)

t.test("sweep: what is as fast is said to be so", function()
  local text = tostring(swept(time(1e-3, 1), time(1.01e-3, 1), time(3e-3, 1)))
  t.ok(not text:find "★", text)
  t.has(text, "as fast as each other: 8 and 16")
end)

t.test("sweep over a parameter: most work, or it cannot be told", function()
  local function over(...)
    local times = { ... }
    return tostring(with_times(times, function()
      return sweep { "add", over = { n = { 1000, 2000, 4000 } },
        budget = 0.01 }
    end))
  end
  t.has(over(time(1e-3, 1), time(1.1e-3, 1), time(1.2e-3, 1)),
    "most work in a second at n = 4000")
  local text = over(time(1e-3, 90), time(1.5e-3, 90), time(2.5e-3, 90))
  t.has(text, "cannot tell at which n most is done in a second")
  t.ok(not text:find "most work", text)
end)

-------------------------------------------------------------------------- cards

local cards_module = require "lua.measure.cards"

local function card(title, times, version)
  local one = { mettle_card = 1, version = version or "1.0",
    when = "2026-01-01",
    device = { name = "host", title = title, is_gpu = false },
    machine = { os = "Linux", architecture = "x86_64", cores = 2 },
    peaks = { memory = 1e10, operations = 1e11 },
    overhead = { launch = 1e-6, each = 1e-6 }, figures = {} }
  for i, f in ipairs(times) do
    one.figures[i] = { id = "f" .. i, title = "figure " .. i, time = f,
      kernel = "add", sizes = { n = 1 }, bytes = 1e6, operations = 1e5,
      cpu = { { way = "one core", median = 2e-3, low = 1.9e-3, high = 2.1e-3,
        count = 9 } } }
  end
  return cards_module.new(one)
end

t.test("cards: a figure beside the CPU", function()
  t.has(tostring(card("A", { time(1e-3, 1) })), "2.0× faster")
  local text = tostring(card("A", { time(1e-3, 200) }))
  t.has(text, "cannot tell"); t.ok(not text:find "× faster", text)
  t.equal(card("A", { time(1e-3, 200) }):chart(), nil)
end)

t.test("cards side by side: ratios where they are known", function()
  local r = cards(card("A", { time(1e-3, 1), time(4e-3, 1) }),
    card("B", { time(0.5e-3, 1), time(2e-3, 1) }))
  t.near(r.ratio[2], 2, 1e-9)
  t.has(tostring(r), "all in all 2.00× as fast")
end)

t.test("cards side by side: none where they are not", function()
  local r = cards(card("A", { time(1e-3, 200), time(4e-3, 300) }),
    card("B", { time(0.5e-3, 200), time(2e-3, 300) }))
  local text = tostring(r)
  t.equal(r.ratio[2], nil); t.equal(r.rows[1].ratios[2], nil)
  t.has(text, "cannot tell"); t.ok(not text:find "%d× as fast", text)
  t.ok(not text:find "2.00×", text)
end)

t.test("two cards of one machine have no winner", function()
  local r = cards(card("A", { time(1e-3, 1) }), card("A", { time(2.21e-3, 1) }))
  t.equal(r.ratio[2], nil)
  t.has(tostring(r), "the same hardware")
  r = cards(card("A", { time(1e-3, 1) }),
    card("A", { time(0.5e-3, 1) }, "1.1"))
  t.near(r.ratio[2], 2, 1e-9, "another version of Mettle may be faster")
end)

------------------------------------------------------------------------ lessons

t.test("a lesson's aim: reached, missed, or not to be told", function()
  local target = require "lua.judge.target"
  local function judged(...)
    return target.judge_ratio(timing.summary { ... }, 1.5,
      { faster_than = "start.metal", say = "Use tiles." }, "n = 10")
  end
  local passed, line = judged(2, 2, 2.1, 1.9, 2, 2)
  t.equal(passed, true); t.has(line, "2.00× as fast as start.metal")
  passed, line = judged(1.1, 1.1, 1.2, 1.1, 1.1, 1.1)
  t.equal(passed, false); t.has(line, "too slow"); t.has(line, "Use tiles.")
  passed, line = judged(0.2, 9, 1.2, 30, 0.1, 1.4)
  t.equal(passed, false)
  t.has(line, "cannot be told"); t.ok(not line:find "too slow", line)
end)

-------------------------------------------------------------------------- peaks

t.test("peaks of a busy machine are not kept, and are measured again", function()
  local peaks = require "lua.measure.peaks"
  local system = require "mettle.system"
  local measure, patience, spread, rate, count = peaks.measure, peaks.patience,
    0.9, 1e9, 0
  local quick = timing.quick -- by tests/quick.lua: what is quick is not kept
  timing.quick = nil
  peaks.measure = function()
    count = count + 1
    return { memory = rate, cache = rate, cache_bytes = 0, operations = rate },
      spread
  end
  local file = system.state .. "/peaks.json"
  local ok, why = pcall(function()
    os.remove(file)
    local p = peaks.peaks { again = true }
    t.equal(p.busy, true)
    t.has(tostring(p), "while this machine was busy")
    t.equal(io.open(file), nil, "it is not kept")
    local text = tostring(compared(time(1e-3, 1), time(3e-3, 1)))
    t.has(text, "peaks were measured while it was busy")
    peaks.peaks()
    t.equal(count, 1, "not at once")
    peaks.patience, spread, rate = 0, 0.01, 5e9
    p = peaks.peaks()
    t.equal(count, 2); t.equal(p.busy, nil); t.equal(p.memory, 5e9)
    t.ok(io.open(file), "what was measured in peace is kept")
    peaks.peaks()
    t.equal(count, 2)
  end)
  peaks.measure, peaks.patience, timing.quick = measure, patience, quick
  os.remove(file)
  if not ok then error(why, 0) end
end)

----------------------------------------------------------------- first launches

t.test("a first launch is marked as such", function()
  local k2 = gpu.kernel(source)
  local r = k2 { a, b, c, grid = N }
  t.equal(r.first, true); t.has(tostring(r), "first launch")
  r = k2 { a, b, c, grid = N }
  t.equal(r.first, false); t.ok(not tostring(r):find "first launch")
  k2 = gpu.kernel(source)
  local all = gpu.commands(function()
    k2 { a, b, c, grid = N }
    k2 { a, b, c, grid = N }
  end)
  t.equal(all[1].first, true); t.equal(all[2].first, false)
  k2 = gpu.kernel(source)
  r = k2 { a, b, c, grid = N, repeats = 50 }
  t.ok(not tostring(r):find "first launch", "one of fifty")
end)

t.done()
