-- test_judge.lua - what a judge says of right and wrong answers to a small task
-- that is in no file: its lines, kinds and scores, which cases it tries and how
-- often, and which of them the checker watches.
--
-- Guards: lua/judge/{judge, ways}.lua: each verdict, word for word
local t = dofile "tests/tap.lua"
local judge = require "lua.judge.judge"
local kernels = require "lua.workload.kernels"
local system = require "mettle.system"
local ways = require "lua.judge.ways"
t.compiler "a judge compiles"

local HEAD = "kernel void twice(device const float *x [[buffer(0)]], "
  .. "device float *y [[buffer(1)]], constant uint &n [[buffer(2)]], "
  .. "uint i [[thread_position_in_grid]]) {\n"
local RIGHT = HEAD .. "  y[i] = 2 * x[i];\n}\n"

local function source(body) return HEAD .. body .. "\n}\n" end

-- A lesson with these numbers of elements; 'more' has further data.
local function lesson(sizes, more)
  local data = { kernel = "twice", outputs = { "y" }, tolerance = 1e-6,
    arguments = function(s, make)
      return { x = make.random(s.n), y = make.out("float", s.n), n = s.n }
    end,
    launch = function(s) return { grid = s.n, group = 32 } end,
    reference = function(s, arg, out)
      for i = 0, s.n - 1 do out.y[i] = 2 * arg.x[i] end
    end, cases = {} }
  for i, n in ipairs(sizes) do data.cases[i] = { n = n } end
  for key, v in pairs(more or {}) do data[key] = v end
  local l = { data = data, solution = RIGHT, folder = "." }
  l.lesson, l.tasks = l, { l }
  return l
end

local function kinds_of(v)
  local list = {}
  for kind in pairs(v.kinds) do list[#list + 1] = kind end
  table.sort(list)
  return table.concat(list, ",")
end

-- One kernel for all that only differ in what is asked.
local right = gpu.kernel(RIGHT)

t.test("right for all cases", function()
  local v = judge.judge(lesson { 4, 33 }, RIGHT)
  t.equal(v.ok, true)
  t.equal(kinds_of(v), "")
  t.equal(#v.lines, 1)
  t.equal(v.lines[1],
    "Right for all 2 cases, with no races and no out-of-bounds accesses.")
  t.equal(#v.more, 0)
  t.equal(#v.skipped, 0)
  t.equal(v.kernel, nil)
  v = judge.judge(lesson({ 4 }, { checker = false }), nil, { kernel = right })
  t.equal(v.lines[1], "Right for all 1 cases.")
  t.equal(v.ok, true)
end)

t.test("what does not compile names the learner's file", function()
  local v = judge.judge(lesson { 4 }, "kernel void twice(",
    { name = "my.metal" })
  t.equal(v.ok, false)
  t.equal(kinds_of(v), "compile")
  t.equal(v.lines[1], "It does not compile:")
  t.has(table.concat(v.lines, "\n"), "my.metal:1:")
  t.ok(not table.concat(v.lines, "\n"):find("program_source", 1, true))
  v = judge.judge(lesson { 4 }, "kernel void twice(")
  t.has(table.concat(v.lines, "\n"), "program_source:1:")
  t.equal(kinds_of(judge.judge(lesson { 4 }, "nothing")), "compile")
end)

-- Wrong from n = 40 on, and right before.
local late = gpu.kernel(source "y[i] = n < 40 ? 2 * x[i] : 0;")

t.test("a wrong answer comes with the cases before it", function()
  local function first_line(sizes, kernel)
    local v = judge.judge(lesson(sizes), nil,
      { kernel = kernel or late, unwatched = true })
    t.equal(v.ok, false)
    t.equal(kinds_of(v), "wrong")
    t.equal(v.kernel, kernel or late)
    t.has(v.lines[2], "y: ")
    t.has(v.lines[3], "expected")
    return v.lines[1]
  end
  t.equal(first_line { 40, 4 }, "Not right yet for n = 40:")
  t.equal(first_line { 4, 40 }, "Not right yet for n = 40 (n = 4 is right):")
  t.equal(first_line { 4, 5, 40 },
    "Not right yet for n = 40 (n = 4; n = 5 are right):")
  t.equal(first_line { 4, 5, 6, 40 },
    "Not right yet for n = 40 (n = 4; n = 5; n = 6 are right):")
  t.equal(first_line { 4, 5, 6, 7, 40 },
    "Not right yet for n = 40 (… n = 5; n = 6; n = 7 are right):")
end)

t.test("each case is tried with three seeds, the second special", function()
  local tried, of_data, now = {}, kernels.of_data, system.now
  function kernels.of_data(name, data, s, kernel, options)
    tried[#tried + 1] = ("%d:%s%s"):format(s.n, options.seed,
      options.special and "*" or "")
    return of_data(name, data, s, kernel, options)
  end
  local o = { kernel = right, unwatched = true }
  judge.judge(lesson { 4, 5 }, nil, o)
  t.equal(table.concat(tried, " "), "4:1 4:2 4:3 5:1 5:2 5:3")
  tried = {}
  judge.judge(lesson({ 4 }, { special = true }), nil, o)
  t.equal(table.concat(tried, " "), "4:1 4:2* 4:3")
  tried = {}
  local time, step = 0, 1.9
  function system.now() time = time + step return time end
  judge.judge(lesson { 4 }, nil, o)
  t.equal(table.concat(tried, " "), "4:1 4:2 4:3", "before two seconds")
  tried, time, step = {}, 0, 2
  judge.judge(lesson { 4 }, nil, o)
  t.equal(table.concat(tried, " "), "4:1", "from two seconds on")
  kernels.of_data, system.now = of_data, now
end)

-- Shifts too far at this size alone; the answer is right.
local function past(n)
  return gpu.kernel(source(("y[i] = 2 * x[i];\n"
    .. "if (n == %d && 1u << (n + 32 - %d) == x[i]) y[i] = 0;"):format(n, n)))
end

t.test("the checker watches the smallest case and the largest", function()
  local function seen(n, sizes, watches)
    local v = judge.judge(lesson(sizes), nil,
      { kernel = past(n), watches = watches })
    if v.ok then return false end
    t.equal(kinds_of(v), "shift")
    t.equal(v.lines[1], "The answers are right, but the checker found "
      .. ("something, for n = %d:"):format(n))
    t.has(v.lines[2], "shift")
    return true
  end
  local few = { 1, 2, 3, 4 }
  t.ok(seen(1, few, 2))
  t.ok(not seen(3, few, 2))
  t.ok(seen(4, few, 2))
  t.ok(seen(1, few, 1))
  t.ok(not seen(4, few, 1))
  local many = { 1, 2, 3, 4, 5, 6, 7 }
  t.ok(seen(1, many))
  t.ok(not seen(3, many))
  t.ok(seen(4, many))
  t.ok(seen(7, many))
end)

t.test("cases of more than 4096 threads are not watched", function()
  local v = judge.judge(lesson { 4096 }, nil, { kernel = past(4096) })
  t.equal(kinds_of(v), "shift")
  v = judge.judge(lesson { 4097 }, nil, { kernel = past(4097) })
  t.ok(v.ok)
  v = judge.judge(lesson({ 4096 }, { checker = false }), nil,
    { kernel = past(4096) })
  t.ok(v.ok)
  v = judge.judge(lesson { 4096 }, nil,
    { kernel = past(4096), unwatched = true })
  t.ok(v.ok)
  -- as many threads in groups and in two dimensions
  local function launched(launch)
    return judge.judge(lesson({ 100 }, { launch = launch }), nil,
      { kernel = past(100) }).ok
  end
  t.ok(not launched(function() return { groups = 4, group = 25 } end))
  t.ok(not launched(function()
    return { groups = { 4, 1 }, group = { 25, 1 } }
  end))
end)

t.test("findings stand beside a wrong answer", function()
  local k = gpu.kernel(source "y[i] = x[i + n];")
  local v = judge.judge(lesson { 4 }, nil, { kernel = k })
  t.equal(kinds_of(v), "out-of-bounds,wrong")
  t.has(table.concat(v.lines, "\n"), "x[")
  v = judge.judge(lesson { 4 }, nil, { kernel = k, unwatched = true })
  t.equal(kinds_of(v), "wrong")
  v = judge.judge(lesson { 5000 }, nil,
    { kernel = gpu.kernel(source "y[i] = i < 9 ? 0 : 2 * x[i];") })
  t.equal(kinds_of(v), "wrong")
end)

t.test("what is written past the end is seen in the canary", function()
  local k = gpu.kernel(source "y[i] = 2 * x[i];\ny[n] = 1;")
  local v = judge.judge(lesson { 4 }, nil, { kernel = k, unwatched = true })
  t.equal(kinds_of(v), "out-of-bounds")
  t.equal(#v.lines, 1)
  t.has(v.lines[1], "The answer for n = 4 is right, but ")
  k = gpu.kernel(source "y[i] = 0;\ny[n] = 1;")
  v = judge.judge(lesson { 4 }, nil, { kernel = k, unwatched = true })
  t.equal(kinds_of(v), "out-of-bounds,wrong")
  t.has(v.lines[#v.lines], "  Also, ")
end)

t.test("one finding is shown, and how many more there are", function()
  local function more(count)
    local body = {}
    for i = 0, count do
      body[#body + 1] = ("if (x[i + n] == %d) y[i] = 1;"):format(1000 + i)
    end
    local v = judge.judge(lesson { 4 }, nil, { kernel =
      gpu.kernel(source("y[i] = 2 * x[i];\n" .. table.concat(body, "\n"))) })
    t.equal(#v.more, count)
    return v.lines[#v.lines]
  end
  t.ok(not more(0):find("more finding", 1, true))
  t.has(more(1), '1 more finding: check "more" shows it')
  t.has(more(2), '2 more findings: check "more" shows them')
end)

t.test("parameters that do not fit are listed", function()
  local v = judge.judge(lesson { 4 }, "kernel void twice(device float *z "
    .. "[[buffer(0)]], uint i [[thread_position_in_grid]]) { z[i] = 1; }\n")
  t.equal(kinds_of(v), "error")
  t.equal(v.lines[2], "  given by name:   n, x, y")
  t.equal(v.lines[3], "  your kernel has: z")
  v = judge.judge(lesson { 4 }, "kernel void twice() {}\n")
  t.equal(v.lines[3], "  your kernel has: none")
  -- one too few
  v = judge.judge(lesson { 4 }, "kernel void twice(device float *y "
    .. "[[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] = 1; }\n")
  t.equal(v.lines[3], "  your kernel has: y")
end)

t.test("what a launch raises is said, with why", function()
  local k = gpu.kernel(source "y[i] = 2 * x[i];\nif (i == 3) y[500000000] = 1;")
  local v = judge.judge(lesson { 4 }, nil, { kernel = k })
  t.equal(kinds_of(v), "error,out-of-bounds")
  t.equal(v.lines[1], "It fails for n = 4:")
  t.has(v.lines[2], "  ")
  t.has(v.lines[2], "memory that is not there")
  t.ok(#v.lines > 2)
  v = judge.judge(lesson { 5000 }, nil, { kernel = k })
  t.equal(kinds_of(v), "error")
  t.equal(#v.lines, 2)
end)

t.test("a launch has a limit of its own, or the judge's", function()
  local was = judge.limit
  t.equal(was, 5)
  judge.limit = 7
  local function limit_of(own)
    local launch
    judge.judge(lesson({ 4 }, { launch = function()
      launch = { grid = 4, group = 4, limit = own }
      return launch
    end }), nil, { kernel = right, unwatched = true })
    return launch.limit
  end
  t.equal(limit_of(nil), 7)
  t.equal(limit_of(9), 9)
  judge.limit = was
end)

t.test("rules are judged of right answers", function()
  local rules = { { forbid = "thread_position_in_grid", say = "Not so." } }
  local v = judge.judge(lesson({ 4 }, { rules = rules }), nil,
    { kernel = right })
  t.equal(kinds_of(v), "rule")
  t.equal(v.lines[1], "The answers are right, but this is not what was asked: "
    .. "it uses [[thread_position_in_grid]], which the task rules out.")
  t.equal(v.lines[2], "Not so.")
  rules[1].forbid = "thread_position_in_threadgroup"
  t.ok(judge.judge(lesson({ 4 }, { rules = rules }), nil,
    { kernel = right }).ok)
end)

t.test("targets add a line, or fail with theirs", function()
  local steps = {}
  local progress = { step = function(_, what) steps[#steps + 1] = what end }
  local function targets(most)
    return judge.judge(lesson({ 64 }, { targets = { { profile = "device_reads",
      per = "busiest thread", at_most = most, say = "Fewer." } } }), nil,
      { kernel = right, progress = progress })
  end
  local v = targets(2)
  t.ok(v.ok)
  t.equal(#v.lines, 2)
  t.has(v.lines[2], "device reads of the busiest thread: ")
  t.equal(table.concat(steps, ", "), "n = 64, the checker watches, measuring")
  v = targets(0)
  t.equal(kinds_of(v), "target")
  t.has(v.lines[2], "Correct, but still too expensive: ")
  t.equal(v.lines[3], "Fewer.")
end)

t.test("a score passes if it is as good as ours", function()
  local worse = gpu.kernel(source(
    "float s = 0; for (uint k = 0; k < 3; k++) s += x[(i + k) % n];\n"
    .. "y[i] = s > 1e30 ? 0 : 2 * x[i];"))
  local score = { profile = "device_reads", per = "busiest thread",
    say = "Read it once." }
  local v = judge.judge(lesson({ 64 }, { score = score }), nil,
    { kernel = right })
  t.equal(v.ok, true)
  local ours = judge.par(lesson({ 64 }, { score = score }))
  t.equal(v.score, ours)
  t.equal(v.lines[2], ("Your score: %d device reads of the busiest thread; "
    .. "ours: %d."):format(ours, ours))
  v = judge.judge(lesson({ 64 }, { score = score }), nil, { kernel = worse })
  t.equal(kinds_of(v), "score")
  t.ok(v.score > ours)
  t.equal(v.lines[1], "Correct, but not as good as ours.")
  t.equal(v.lines[3], "Read it once.")
  score.within = v.score / ours
  t.ok(judge.judge(lesson({ 64 }, { score = score }), nil,
    { kernel = worse }).ok, "as much as is allowed")
end)

-------------------------------------------------------- exercises at the prompt

local function exercise(f, more)
  local l = { data = { exercise = f }, env =
    setmetatable({ here = "the lesson's" }, { __index = _G }) }
  for key, v in pairs(more or {}) do l[key] = v end
  l.lesson, l.tasks = l, { l }
  return l
end

local function is_five(env) return env.a == 5, env.a == 5 and "Five." or nil end

t.test("an exercise is right, or wrong with why", function()
  local v = judge.judge(exercise(is_five), "a = 5")
  t.equal(v.ok, true)
  t.equal(v.lines[1], "Five.")
  v = judge.judge(exercise(is_five), "a = 6")
  t.equal(kinds_of(v), "wrong")
  t.equal(v.lines[1], "Not right yet: it is not as wanted")
  t.equal(v.raised, false)
  v = judge.judge(exercise(function() return false, "no a" end), "")
  t.equal(v.lines[1], "Not right yet: no a")
  v = judge.judge(exercise(function() return true end), nil)
  t.equal(v.lines[1], "Right.")
  v = judge.judge(exercise(function() return true, 5 end), "")
  t.equal(v.lines[1], "Right.")
  v = judge.judge(exercise(function() error("broken", 0) end), "")
  t.equal(kinds_of(v), "wrong")
  t.equal(v.lines[1], "Not right yet: broken")
  t.equal(v.raised, true)
end)

t.test("an exercise that is no Lua, or stops", function()
  local v = judge.judge(exercise(is_five), "a = = 5", { name = "my.lua" })
  t.equal(kinds_of(v), "compile")
  t.equal(v.lines[1], "It is not Lua that can be run:")
  t.has(v.lines[2], "my.lua:1:")
  v = judge.judge(exercise(is_five), "error('oh', 0)")
  t.equal(kinds_of(v), "error")
  t.equal(v.lines[1], "It stops with an error:")
  t.equal(v.lines[2], "  oh")
  t.raises("interrupted", judge.judge, exercise(is_five),
    "error 'interrupted!'")
  t.raises("interrupted", judge.judge,
    exercise(function() error "interrupted!" end), "")
  t.equal(select(2, pcall(judge.judge, exercise(is_five),
    "error('interrupted', 0)")), "interrupted")
end)

t.test("an exercise sees the lesson's globals, or the prompt's", function()
  local function sees(env) return true, tostring(env.found) end
  local l = exercise(sees)
  t.equal(judge.judge(l, "found = here").lines[1], "the lesson's")
  t.equal(judge.judge(l, "found = here", { base = { here = "the prompt's" } })
    .lines[1], "the prompt's")
  l.env = nil
  t.equal(judge.judge(l, "found = type(print)").lines[1], "function")
end)

t.test("the score of an exercise", function()
  local runs = 0
  local l = exercise(function(env)
    runs = runs + (env.solved and 1 or 0)
    return true, "Done.", env.score
  end, { solution = "score, solved = 100, true" })
  l.data.score = { counts = "steps", say = "Fewer." }
  local v = judge.judge(l, "score = 102")
  t.ok(v.ok, "within 2 %")
  t.equal(v.score, 102)
  t.equal(v.lines[2], "Your score: 102 steps; ours: 100.")
  v = judge.judge(l, "score = 103")
  t.equal(kinds_of(v), "score")
  t.equal(v.score, 103)
  t.equal(judge.par(l), 100)
  t.equal(runs, 1, "our solution runs once")
  l = exercise(function() return false, "never" end, { solution = "" })
  l.data.score = { counts = "steps" }
  t.raises("Not right yet: never", judge.par, l)
end)

t.test("ways to fail, by name", function()
  for word in ("compile error wrong rule target score race"):gmatch "%S+" do
    t.equal(ways.all[word], true)
  end
  t.equal(ways.all.nothing, nil)
  t.equal(ways.of_checker.race, true)
  t.equal(ways.of_checker.wrong, nil)
  t.equal(ways.list("wrong")[1], "wrong")
  local list = { "a", "b" }
  t.equal(ways.list(list), list)
end)

t.done()
