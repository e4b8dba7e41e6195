-- test_lesson.lua - the course at the prompt: text, finding, judging, progress,
-- and that the linter sees every mistake it is there to see. With
-- METTLE_TESTS=all the progress is damaged in more ways, and the linter judges
-- the answers where the mistake is elsewhere, too.
--
-- Guards: lua/lesson/lesson.lua, lua/lesson/: text, finding, judging by rules
-- and the busiest thread, progress; puzzles and their pictures, challenges and
-- their scores, a capstone of three tasks; what a demonstration must show; a
-- linter that sees 30 seeded mistakes; lua/judge/{judge, picture, rule, table,
-- target, task, ways}.lua, lua/lesson/{challenge, course, greeting, list,
-- progress, step}.lua, lua/lint/{answers, blocks, data, expect, lint,
-- text}.lua, lua/session/capture_output.lua
local t = dofile "tests/tap.lua"
local ALL = os.getenv "METTLE_TESTS" == "all"
local course = require "lua.lesson.course"
local expect = require "lua.lint.expect"
local judge = require "lua.judge.judge"
local lint = require "lua.lint.lint"
local picture = require "lua.judge.picture"
local progress = require "lua.lesson.progress"
local system = require "mettle.system"
local tasks = require "lua.judge.task"
local text = require "lua.text.markdown"

local function run(command)
  local pipe = assert(io.popen("{ " .. command .. "; } 2>&1"))
  local output = pipe:read "a"
  return pipe:close(), output
end

local _, scratch = run "mktemp -d"
scratch = scratch:gsub("%s+$", "")

local function write(path, content)
  local file = assert(io.open(path, "w"))
  file:write(content)
  file:close()
end

local function read(path)
  local file = io.open(path)
  if not file then return nil end
  local all = file:read "a"
  file:close()
  return all
end

------------------------------------------------------------------------- text

local sample = [[
# A title

## First step

Some words about a [thread](glossary:thread) and
the [grid](lesson:grid).

- an item
  that goes on
- another

```lua
x = 1
x
```

## Your turn

```text
0 1 2
```
]]

t.test("a lesson's text is read into steps, blocks and links", function()
  local l = text.read(sample)
  t.equal(l.title, "A title")
  t.equal(#l.steps, 2)
  t.equal(l.steps[2].title, "Your turn")
  t.equal(#l.steps[1].links, 2)
  t.equal(l.steps[1].links[2].name, "grid")
  t.equal(text.code(l.steps[1], "lua")[1].text, "x = 1\nx")
  t.equal(#l.problems, 0)
end)

t.test("a step is wrapped, and its code is not", function()
  local l = text.read(sample)
  local shown = text.show(l.steps[1], 30)
  t.has(shown, "Some words about a thread and\nthe grid.")
  t.has(shown, "  - an item that goes on\n  - another")
  t.has(shown, "    x = 1\n    x")
  t.has(text.show(l.steps[2], 30), "  | 0 1 2")
  t.equal(table.concat(text.look_up(l.steps[1]), ","), 'glossary "thread",lesson "grid"')
end)

t.test("short code in a sentence stays on one line", function()
  local l = text.read "## s\n\nThe last line should be `k - i`, and `constant float &amount [[buffer(2)]]` may be broken.\n"
  local shown = text.show(l.steps[1], 29)
  t.has(shown, "The last line should be\n`k - i`, and `constant float\n&amount")
end)

t.test("what a block defines is told from what it counts with", function()
  local restore = require "lua.lesson.restore"
  local l = text.read "## a\n```lua\nn, m = 3, 4\nfunction f() end\nfor i = 1, n do m = m + i end\nlocal k = 5\n```\n## b\n"
  l.env = setmetatable({}, { __index = _G })
  t.ok(restore(l, 2), "nothing is there")
  t.equal(l.env.n, 3)
  t.equal(l.env.m, 10)
  l.env.m = 1
  t.ok(not restore(l, 2), "all is there, the loop's variable and the local one are not missed")
  t.equal(l.env.m, 1)
  l.env.f = nil
  t.ok(restore(l, 2), "the function is missing")
end)

t.test("broken texts are read as far as they go, and said", function()
  for _, broken in ipairs { "", "words", "## s\n```lua\nx", "```lua\nx\n```\n", "# a\n# b\n## c", "## s\n```lua wrong\n```" } do
    local l = text.read(broken)
    t.ok(broken == "" or #l.problems > 0, broken)
    for _, step in ipairs(l.steps) do text.show(step, 10) end
  end
end)

t.test("code is taken line by line, as the console takes it", function()
  local chunks = text.chunks "a = 1\n\nfor i = 1, 2 do\n  a = a + i\nend\na, a\nk = [=[\n  x [[y]]\n]=]"
  t.equal(#chunks, 4)
  local env = {}
  for i = 1, 2 do text.run(chunks[i], env) end
  t.equal(text.run(chunks[3], env)[2], 4)
  t.equal(#text.chunks "a = = 2\nb = 3", 2)
  t.raises("near", text.run, "a = = 2", {})
end)

----------------------------------------------------------------------- course

t.test("lessons are found by number, name and words", function()
  t.equal(course.find(4).name, "04-first-kernel")
  t.equal(course.find "4".name, "04-first-kernel")
  t.equal(course.find "first-kernel".name, "04-first-kernel")
  t.equal(course.find "The First Kernel".name, "04-first-kernel")
  t.equal(course.find "04-first-kernel".name, "04-first-kernel")
  t.equal(course.find "ragged".name, "06-guards")
  for _, odd in ipairs { 0, 999, -1, 2.5, "", "no such lesson", true, {} } do
    local found, why = course.find(odd)
    t.ok(found == nil and type(why) == "string", tostring(odd))
  end
  local found, why = course.find "the"
  t.ok(found == nil)
  t.has(why, "which lesson")
end)

t.test("next stays Lua's own when it is given something", function()
  t.equal(next {}, nil)
  t.equal(next { 5 }, 1)
  local sum = 0
  for _, v in next, { 1, 2, 3 } do sum = sum + v end
  t.equal(sum, 6)
  t.equal(next({ 1, 2 }, 2), nil)
  t.raises("table expected", next, nil)
  t.raises("table expected", next, 5)
  t.raises("invalid key", next, {}, 1)
end)

--------------------------------------------------------------------- progress

t.test("progress is kept, and lines that mean nothing too", function()
  local path = progress.path()
  write(path, "# mine\nfuture 04-first-kernel x y z\n\n\1\2 damaged \255\npassed 01-hello-gpu 2026-01-01\npassed\n")
  t.equal(progress.get("passed", "01-hello-gpu"), "2026-01-01")
  t.equal(progress.get("passed", "02-buffers"), nil)
  progress.set("passed", "02-buffers", "2026-02-02")
  progress.set("step", "02-buffers", 3)
  progress.set("step", "02-buffers", 4)
  progress.set("at", "02-buffers")
  progress.set("at", "04-first-kernel")
  t.equal(read(path), "# mine\nfuture 04-first-kernel x y z\n\n\1\2 damaged \255\npassed 01-hello-gpu 2026-01-01\npassed\n"
    .. "passed 02-buffers 2026-02-02\nstep 02-buffers 4\nat 04-first-kernel\n")
  t.equal(progress.get "at", "04-first-kernel")
end)

t.test("a file without a last newline loses nothing", function()
  write(progress.path(), "passed 01-hello-gpu 2026-01-01")
  progress.set("at", "06-guards")
  t.equal(read(progress.path()), "passed 01-hello-gpu 2026-01-01\nat 06-guards\n")
  os.remove(progress.path())
end)

t.test("progress that cannot be kept is known until the end", function()
  os.execute("mkdir -p '" .. progress.path() .. "/x'") -- a folder in its place
  local real = io.stderr
  io.stderr = { write = function(_, ...)
    t.has(table.concat { ... }, "not kept")
  end }
  progress.set("passed", "01-hello-gpu", "today")
  io.stderr = real
  t.equal(progress.get("passed", "01-hello-gpu"), "today")
  os.execute("rm -r '" .. progress.path() .. "'")
  progress.set("passed", "01-hello-gpu", "today")
  t.has(read(progress.path()), "passed 01-hello-gpu today")
end)

t.test("damaged lines of the progress are kept, and count for nothing", function()
  local path = progress.path()
  local odd = { "step 04-first-kernel 2.5", "step 04-first-kernel -1", "step 04-first-kernel 1e3", "step 04-first-kernel",
    "step 04-first-kernel nan", "step 04-first-kernel 99999999999999999999", "step 04-first-kernel 2 3",
    "hints 04-first-kernel 0x10", "hints 04-first-kernel inf", "passed", "at 04-first-kernel 5", "at", "at ../../etc" }
  write(path, table.concat(odd, "\n") .. "\n")
  t.equal(progress.get("step", "04-first-kernel"), nil)
  t.equal(progress.get("hints", "04-first-kernel"), nil)
  t.equal(progress.get "at", nil)
  progress.set("step", "04-first-kernel", 4)
  t.equal(progress.get("step", "04-first-kernel"), "4")
  t.equal(read(path), table.concat(odd, "\n") .. "\nstep 04-first-kernel 4\n")
  os.remove(path)
end)

t.test("no damage to the progress is an error of Lua's", function()
  -- lessons make files
  local path, seed, here = progress.path(), 5, system.folder(scratch)
  local function random(n)
    seed = seed * 1103515245 + 12345 & 0x7fffffff; return seed // 65536 % n + 1
  end
  local good = "# mine\npassed 01-hello-gpu 2026-01-01\nstep 04-first-kernel 4\nhints 04-first-kernel 2\nat 04-first-kernel\n"
  local real, said = io.stdout, {}
  for _ = 1, ALL and 150 or 30 do
    local bytes = { good:byte(1, -1) }
    for _ = 1, random(6) do
      local at, how = random(#bytes), random(3)
      if how == 1 then bytes[at] = random(256) - 1
      elseif how == 2 then table.remove(bytes, at)
      else
        table.insert(bytes, at, ("0123456789.-+e \n\0x"):byte(random(19))) end
    end
    write(path, string.char(table.unpack(bytes)))
    for _, module in ipairs { "lua.lesson.lesson", "lua.lesson.progress" } do
      package.loaded[module] = nil
    end
    local lesson = require "lua.lesson.lesson"
    io.stdout = { write = function(_, ...)
      said[#said + 1] = table.concat({ ... })
    end }
    local ok, why = pcall(function()
      lesson.lessons()
      lesson.lesson(); lesson.hint(); lesson.solution(); lesson.back()
    end)
    io.stdout = real
    t.ok(ok, tostring(why))
  end
  os.remove(path)
  system.folder(here)
end)

local learner = require "lua.session.user_file"

t.test("a learner's file that cannot be read is not taken for missing", function()
  local here = system.folder(scratch)
  local l = { stem = "99-mine", extension = "metal", start = "start\n" }
  t.equal(learner.read "99-mine.metal", nil)
  t.equal(learner.make(l), true)
  t.equal(learner.make(l), false)
  write("99-mine.metal", "my answer\n")
  -- root reads everything, so that the system's answer is played
  local open = io.open
  io.open = function(name, ...)
    if name == "99-mine.metal" then
      return nil, name .. ": Permission denied", 13
    end
    return open(name, ...)
  end
  t.raises("cannot be read (Permission denied)", learner.make, l)
  t.raises("cannot be read", learner.reset, l)
  io.open = open
  t.equal(read "99-mine.metal", "my answer\n")
  os.remove "99-mine.metal"
  run "ln -s gone.metal 99-mine.metal"
  t.raises("a link to a file that is not there", learner.make, l)
  t.raises("a link to a file that is not there", learner.reset, l)
  t.equal(read "gone.metal", nil)
  write("gone.metal", "elsewhere\n")
  t.equal(learner.make(l), false)
  t.equal(learner.reset(l), "99-mine.old1.metal") -- by the link, which stays
  t.equal(read "gone.metal", "start\n")
  t.equal(read "99-mine.old1.metal", "elsewhere\n")
  run "rm 99-mine.metal gone.metal; mkdir -p 99-mine.metal/x 99-mine.old2.metal/y"
  t.raises("it is a folder", learner.make, l)
  run "rmdir -p 99-mine.metal/x"
  write("99-mine.metal", "second\n")
  t.equal(learner.reset(l), "99-mine.old3.metal") -- a folder has the name
  run "rm -r 99-mine.*"
  system.folder(here)
end)

t.test("a learner's file is found when the lesson's number changes", function()
  local here = system.folder(scratch)
  local l = { stem = "88-mine", extension = "metal", start = "start\n" }
  t.equal(learner.name(l), "88-mine.metal")
  write("12-mine.metal", "an answer\n")
  write("12-mine.lua", "")
  write("12-not-mine.metal", "")
  t.equal(learner.name(l), "12-mine.metal")
  t.equal(learner.make(l), false)
  t.equal(read "12-mine.metal", "an answer\n")
  write("88-mine.metal", "a newer one\n")
  t.equal(learner.name(l), "88-mine.metal")
  run "rm 88-mine.metal 12-*"
  system.folder(here)
end)

----------------------------------------------------------------------- judging

local function kinds_of(v)
  local list = {}
  for kind in pairs(v.kinds) do list[#list + 1] = kind end
  table.sort(list)
  return table.concat(list, " ")
end

local head = [=[
kernel void scale(device const float *x [[buffer(0)]],
                  device float *y [[buffer(1)]],
                  constant uint &n [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
]=]

local function judged(body)
  return judge.judge(course.find(6), head .. body .. "\n}\n",
    { name = "mine.metal" })
end

t.test("a right answer passes", function()
  local v = judged "if (i < n) y[i] = x[i] + x[i];"
  t.ok(v.ok, table.concat(v.lines, "\n"))
  t.has(v.lines[1], "with no races and no out-of-bounds accesses")
end)

t.test("the first finding is shown, the others on request", function()
  t.compiler()
  local v = judged "if (i < n) y[i] = 2 * x[i]; y[i + 4096] = x[i + 9];"
  local said = table.concat(v.lines, "\n")
  t.equal(select(2, said:gsub("\nout%-of%-bounds: ", "")), 1)
  t.ok(#v.more >= 1, said)
  t.has(said, 'check "more"')
  t.has(v.more[1], "out-of-bounds")
end)

t.test("a wrong one is shown with its smallest case, got and expected", function()
  t.compiler()
  local v = judged "if (i < n) y[i] = i < 31 ? 2 * x[i] : x[i];"
  t.ok(not v.ok and v.kinds.wrong)
  local said = table.concat(v.lines, "\n")
  t.has(said, "n = 63")
  t.has(said, "y: 32 of 63 elements are wrong")
  t.has(said, "[31]")
  t.ok(said:find "index +x +got +expected", said)
  t.has(said, "27 more")
end)

t.test("an element that nobody wrote is said to be so", function()
  t.has(table.concat(judged "if (i + 1 < n) y[i] = 2 * x[i];".lines, "\n"), "never written")
end)

t.test("what does not compile is shown under the file's name", function()
  local v = judged "y[i] = z;"
  t.equal(kinds_of(v), "compile")
  t.has(table.concat(v.lines, "\n"), "mine.metal:5:")
  t.has(table.concat(v.lines, "\n"), "'z'")
end)

t.test("an output that is written too far is found", function()
  local v = judged "y[i] = 2 * x[i];"
  t.ok(v.kinds["out-of-bounds"], table.concat(v.lines, "\n"))
end)

t.test("parameters that do not fit are listed", function()
  t.compiler()
  local v = judge.judge(course.find(6), "kernel void scale(device float *z [[buffer(0)]]) { z[0] = 1; }")
  t.equal(kinds_of(v), "error")
  t.has(table.concat(v.lines, "\n"), "n, x, y")
  t.has(table.concat(v.lines, "\n"), "Names matter")
  v = judge.judge(course.find(6), (head:gsub("%*x", "*input") .. "if (i < n) y[i] = 2 * input[i];\n}\n"))
  t.has(table.concat(v.lines, "\n"), "Names matter")
  v = judge.judge(course.find(6), "kernel void scale() {}")
  t.equal(kinds_of(v), "error")
  v = judge.judge(course.find(6), "")
  t.equal(kinds_of(v), "compile")
  v = judge.judge(course.find(6), "kernel void other(device float *z [[buffer(0)]]) { z[0] = 1; }")
  t.equal(kinds_of(v), "compile")
end)

-- Lesson 6 with rules or targets of its own.
local function with(data, source)
  local l = setmetatable({}, { __index = course.find(6) })
  l.data = setmetatable(data, { __index = course.find(6).data })
  return judge.judge(l, source or l.solution)
end
local function with_target(target, source)
  return with({ targets = { target } }, source)
end

t.test("a time is judged side by side with another kernel's", function()
  local timing = require "lua.workload.timing"
  local quick <close> = setmetatable({}, { __close = function()
    timing.quick = 0.06
  end })
  timing.quick = nil -- the two may differ much, but not by chance
  local v = with_target { faster_than = "solution.metal", by = 0.1,
    size = { n = 100003 } }
  t.ok(v.ok, table.concat(v.lines, "\n"))
  t.has(v.lines[2], "n = 100,003")
  v = with_target { faster_than = "solution.metal", by = 50,
    size = { n = 100003 } }
  t.equal(kinds_of(v), "target")
  t.has(v.lines[2], "still too slow")
end)

t.test("a counter is judged per thread", function()
  if not pcall(require, "lua.profile.profile") then return end
  local v = with_target { profile = "device_reads", per = "thread",
    at_most = 1 }
  t.ok(v.ok, table.concat(v.lines, "\n"))
  v = with_target { profile = "device_writes", per = "thread", at_most = 0.5,
    say = "write less" }
  t.equal(kinds_of(v), "target")
  t.equal(v.lines[3], "write less")
  t.ok(with_target { profile = "active", at_least = 0.5 }.ok)
end)

t.test("the busiest thread is judged, which a mean hides", function()
  t.compiler()
  local one = head .. "if (i == 0) for (uint k = 0; k < n; k++) y[k] = 2 * x[k];\n}\n"
  t.ok(with_target({ profile = "device_writes", per = "thread", at_most = 1,
    say = "s" }, one).ok)
  local v = with_target({ profile = "device_writes", per = "busiest thread",
    at_most = 1, say = "share it" }, one)
  t.equal(kinds_of(v), "target")
  t.has(v.lines[2], "device writes of the busiest thread: 997 (asked: at most 1)")
  t.equal(v.lines[3], "share it")
  v = with_target({ profile = "issued", per = "busiest thread", of_solution = 2,
    say = "share it" }, one)
  t.equal(kinds_of(v), "target")
  t.has(v.lines[2], "at most 2 times our")
  t.ok(with_target { profile = "issued", per = "busiest thread",
    of_solution = 2, say = "s" }.ok)
end)

t.test("the threads that a core holds are judged by a model of it", function()
  t.compiler()
  local function asked(n, gpu)
    return { profile = "occupancy", gpu = gpu or "M1", at_least = n,
      say = "less memory" }
  end
  local tiled = head .. "threadgroup float tile[4096]; tile[i % 64] = x[min(i, n - 1)];\n"
    .. "threadgroup_barrier(mem_flags::mem_threadgroup);\nif (i < n) y[i] = 2 * tile[i % 64];\n}\n"
  t.ok(with_target(asked(3072)).ok)
  local v = with_target(asked(3072), "#include <metal_stdlib>\nusing namespace metal;\n" .. tiled)
  t.equal(kinds_of(v), "target")
  t.has(v.lines[2], "threads that a core holds at once: 192 (asked: at least 3072)")
  t.equal(v.lines[3], "less memory")
  t.has(require "lua.judge.target".mistake(asked(1, "M77")), "not M77")
end)

t.test("what a task forbids or asks for is judged by the kernel's parameters", function()
  t.compiler()
  local rules = { { forbid = "thread_position_in_grid", say = "build it" } }
  local v = with { rules = rules }
  t.equal(kinds_of(v), "rule")
  t.has(table.concat(v.lines, "\n"), "[[thread_position_in_grid]]"); t.has(table.concat(v.lines, "\n"), "build it")
  local built = head:gsub("uint i %[%[thread_position_in_grid%]%]", "uint g [[threadgroup_position_in_grid]], uint t [[thread_position_in_threadgroup]]")
    .. "uint i = g * 64 + t; // not thread_position_in_grid\nif (i < n) y[i] = 2 * x[i];\n}\n"
  t.ok(with({ rules = rules }, built).ok)
  local order = { { parameters = { "x", "y", "n" }, say = "by index" } }
  t.ok(with({ rules = order }).ok)
  local other = [=[
kernel void scale(constant uint &n [[buffer(%d)]], device float *y [[buffer(1)]], device const float *x [[buffer(%d)]],
                  uint i [[thread_position_in_grid]]) { if (i < n) y[i] = 2 * x[i]; }
]=]
  t.ok(with({ rules = order }, other:format(2, 0)).ok, "declared in another order, bound in this one")
  v = with({ rules = order }, other:format(0, 2))
  t.equal(kinds_of(v), "rule")
  t.has(table.concat(v.lines, "\n"), "in the order n, y, x")
end)

t.test("a kernel that does not end is an error within seconds", function()
  local start, limit = system.now(), judge.limit
  t.ok(limit <= 5)
  judge.limit = 0.5
  local v = judged "while (n > 0) y[i] += 1;"
  judge.limit = limit
  t.ok(not v.ok)
  t.ok(system.now() - start < 30)
end)

t.test("an exercise at the prompt sees the file over the prompt's globals", function()
  local l = course.find(2)
  t.ok(judge.judge(l, l.solution, {}).ok)
  t.ok(not judge.judge(l, "", {}).ok)
  squares = gpu.buffer("int", 100)
  for i = 0, 99 do squares[i] = i * i end
  t.ok(judge.judge(l, "", {}).ok)
  t.ok(not judge.judge(l, "squares = 5", {}).ok)
  squares = nil
  t.equal(kinds_of(judge.judge(l, "squares = = 5", {})), "compile")
  t.equal(kinds_of(judge.judge(l, "error 'x'", {})), "error")
end)

-------------------------------------------------------------- what must be seen

-- What is said of this expectation, after a block that printed 'screen'.
local function unmet(expectation, screen, env)
  local read = text.read("# T\n## S\n```lua\nprint(1)\n```\n```expect\n"
    .. expectation .. "\n```\n")
  local block = text.code(read.steps[1], "lua")[1]
  local list = expect.failures(block, env or {}, screen)
  return #list > 0 and list[1].text or nil
end

t.test("a demonstration shows what it says", function()
  local screen = "  52 % of the\n    lanes active\n  1  2\n  3  4\n"
  t.equal(unmet('shows("52 % of the lanes", "1 2")', screen), nil)
  t.has(unmet('shows("1 2", "52 %")', screen), "'52 %' is not on the screen")
  t.equal(unmet('never "error"', screen), nil)
  t.has(unmet('never "lanes"', screen), "'lanes' is on the screen")
  t.equal(unmet("picture [=[\n1  2\n3  4\n]=]", screen), nil)
  t.has(unmet("picture [=[\n1  2\n3  5\n]=]", screen), "not so")
  t.equal(unmet("rises{1, 2, 3} and falls{3, 1}", ""), nil)
  t.has(unmet("rises{1, 3, 2}", ""), "not so")
  t.has(unmet("rises{}", ""), "not so")
  t.equal(unmet("near(100.5, 100) and not near(102, 100)", ""), nil)
end)

t.test("a number that is not as said is named", function()
  t.has(unmet("p.n < 3", "", { p = { n = 7 } }), "it is 7 against 3")
  t.has(unmet("nothing.at.all == 1", ""), "attempt to index a nil value")
  t.has(unmet("1 +", ""), "it is no expression")
end)

t.test("what is expected is for the linter, not for the learner", function()
  local read = text.read(
    "# T\n## S\n```lua\nx\n```\n```expect\nshows 'y'\n```\n\nwords\n")
  t.equal(text.show(read.steps[1], 60), "    x\n\nwords")
end)

t.test("links and numbered lists go over the end of a line", function()
  local read = text.read("# T\n## S\nSee [the\ngrid](lesson:grid) now.\n\n"
    .. "1. one\n2. two, which goes\n   on\n\nmultiples of\n8. No item.\n")
  t.equal(text.show(read.steps[1], 60),
    "See the grid now.\n\n  1. one\n  2. two, which goes on\n\n"
    .. "multiples of 8. No item.")
  t.equal(read.steps[1].links[1].word, "the grid")
end)

t.test("a line of code that is too long goes on below", function()
  local read = text.read("# T\n## S\n```lua\nfirst = second(third, fourth)\n```\n")
  t.equal(text.show(read.steps[1], 28),
    "    first = second(third,\n        fourth)")
end)

t.test("a part of the course is in one piece", function()
  local last, parts = 1, course.sets[1].parts
  for _, name in ipairs(course.names()) do
    local part = course.get(name).data.part
    t.ok(parts[part], name .. " is in no part")
    t.ok(part == last or part == last + 1, ("%s is in part %d, after one in part %d"):format(name, part, last))
    last = part
  end
  t.equal(last, #parts)
end)

t.test("every step fits into 60 columns", function()
  for _, name in ipairs(course.names()) do
    for _, step in ipairs(course.get(name).steps) do
      for line in (text.show(step, 59) .. "\n"):gmatch "([^\n]*)\n" do
        t.ok(utf8.len(line) <= 59, ("%s: %s"):format(name, line))
      end
    end
  end
end)

------------------------------------------------------------- puzzles, capstones

-- What the functions of the prompt print, with the course of another folder, or
-- with ours.
local function with_course(root, f)
  local data, here, real = system.data, system.folder(scratch), io.stdout
  local lines = {}
  os.remove(progress.path())
  for _, module in ipairs { "lua.lesson.lesson", "lua.lesson.progress" } do
    package.loaded[module] = nil
  end
  local lesson = require "lua.lesson.lesson"
  system.data = root or data
  io.stdout = { write = function(self, ...)
    lines[#lines + 1] = table.concat { ... }; return self
  end,
    flush = function() end }
  local ok, why = pcall(f, lesson, function()
    local said = table.concat(lines)
    lines = {}
    return said
  end)
  io.stdout, system.data = real, data
  system.folder(here)
  os.remove(progress.path())
  if not ok then error(why, 0) end
end

t.test("puzzles are found as lessons are, among their own", function()
  t.equal(course.find(1, "puzzle").name, "01-map")
  t.equal(course.find("map", "puzzle").key, "puzzle-map")
  t.equal(course.find("map", "puzzle").stem, "puzzle-01-map")
  local found, why = course.find("guards and ragged", "puzzle")
  t.equal(found, nil)
  t.equal(why, "there is no puzzle 'guards and ragged'; puzzle() lists them")
  t.equal(course.of_key "puzzle-map".set.word, "puzzle")
end)

t.test("a puzzle's picture is made by its reference, and marks what matters", function()
  t.compiler()
  local pool = course.find("pooling", "puzzle")
  t.equal(table.concat(picture.lines(pool), "\n"), [[
  x        3  1  4  1  5 [9][2][6] 5  3
  ↓  n = 10; in brackets: y[7] and what it is made of
  y        3  3  4  4  5  9  9 [9] 6  6]])
  local wrong = gpu.kernel((pool.solution:gsub("max%(part%[t %+ 1%], part%[t %+ 2%]%)", "part[t + 2]")))
  local lines = picture.lines(pool, wrong)
  t.equal(lines[4], "  yours    3  1✗ 4  1✗ 5  9  5✗ 9  5✗ 6")
  t.equal(picture.lines(pool, gpu.kernel(pool.solution)), nil)
  -- wide answers: each element stands above what was wanted in its place
  local wide = gpu.kernel((pool.solution:gsub("y%[i%] = ", "y[i] = -999 + ")))
  lines = picture.lines(pool, wide)
  t.equal(lines[3], "  y           3     3     4     4     5     9     9 [   9]    6     6")
  t.equal(lines[4], "  yours    -996✗ -996✗ -995✗ -995✗ -994✗ -990✗ -990✗ -990✗ -993✗ -993✗")
end)

-- What the linter says of a lesson. Judging its answers is most of the work: it
-- is left out where the mistake is elsewhere.
local judges = require "lua.lint.answers"
local lint_data = require "lua.lint.data"
local function said_of(folder, needs_answers)
  local check, challenge = judges.check, judges.check_challenge
  if not (needs_answers or ALL) then
    judges.check = function() end
    judges.check_challenge = lint_data.check_challenge
  end
  local ok, problems = pcall(lint.check, folder)
  judges.check, judges.check_challenge = check, challenge
  if not ok then error(problems, 0) end
  return table.concat(problems, "\n")
end

t.test("a puzzle needs a picture that can be drawn", function()
  local folder = scratch .. "/01-map"
  run(("rm -rf '%s'; cp -r '%s/01-map' '%s'"):format(folder, course.folder "puzzle", folder))
  t.equal(said_of(folder), "")
  local whole = read(folder .. "/puzzle.lua")
  local function says(by, words)
    write(folder .. "/puzzle.lua", (whole:gsub("picture = %b{}", by)))
    t.has(said_of(folder), words)
  end
  says("pictures = 1", "puzzle.lua: picture needs size")
  says("picture = { size = { m = 3 } }", "puzzle.lua: the picture cannot be drawn")
  says("picture = { size = { n = 1000 } }", "puzzle.lua: the picture has")
end)

t.test("a challenge has a score, and the best one is kept", function()
  t.compiler()
  with_course(nil, function(lesson, said)
    lesson.lesson "guards"
    said()
    lesson.challenge()
    t.has(said(), "1  A quarter of the threads        lines of memory: no score yet, ours 250")
    lesson.challenge(9)
    t.has(said(), "Lesson 6 has the challenges 1 to 2.")
    lesson.challenge(1)
    t.has(said(), "6 Guards and ragged edges · challenge 1 of 2 · A quarter of the threads")
    local right, why = lesson.check()
    t.equal(right, false)
    t.has(why, "Correct, but not as good as ours.")
    t.has(said(), "Correct, but not as good as ours.\nYour score: 1000 lines of memory; ours: 250.")
    t.equal(progress.get("best", "challenge-guards-quarter"), "1000")
    local t1 = tasks.challenges(course.find "guards")[1]
    write("06-guards-challenge-1.metal", t1.solution)
    lesson.check()
    local praise = said()
    t.has(praise, "That is your best so far; it was 1000.")
    t.has(praise, "Challenge 1, A quarter of the threads, is passed.")
    write("06-guards-challenge-1.metal", t1.start)
    lesson.check()
    t.has(said(), "Your best so far: 250.")
    t.equal(progress.get("best", "challenge-guards-quarter"), "250")
    -- the lesson itself is another matter, and is returned to
    t.equal(progress.get("passed", "06-guards"), nil)
    t.equal(lesson.prompt(), "6 guards challenge 1 ✓0")
    lesson.task()
    t.has(said(), "6 of 7 · Your turn")
  end)
end)

t.test("a challenge in Lua is scored by what its judge counts", function()
  with_course(nil, function(lesson, said)
    lesson.lesson "timing"
    lesson.challenge(2)
    t.has(said(), "Score: calls of run(); fewer is better. No score yet, ours 25.")
    lesson.check()
    t.has(said(), "not as good as ours.\nYour score: 82 calls of run(); ours: 25.\nDoubling tries every power.")
    local task = tasks.challenges(course.find "timing")[2]
    t.equal(task.extension, "lua")
    write("25-timing-challenge-2.lua", task.wrong)
    lesson.check()
    t.has(said(), "1073741824, expected 16777216")
    write("25-timing-challenge-2.lua", task.solution)
    lesson.check()
    t.has(said(), "Challenge 2, Longer than a tick, is passed.")
  end)
end)

t.test("every lesson has two challenges or more", function()
  for _, name in ipairs(course.names()) do
    local all = tasks.challenges(course.get(name))
    t.ok(#all >= 2, name .. ": " .. #all)
    for _, one in ipairs(all) do t.ok(one.start ~= one.solution, one.key) end
  end
end)

t.test("an exercise without its file is judged by a fresh one", function()
  with_course(nil, function(lesson, said)
    _G.time_of = function() return 1 end -- what another exercise left
    lesson.lesson("timing", 1)
    said()
    lesson.check()
    local words = said()
    _G.time_of = nil
    t.has(words, "25-timing.lua is now in this folder")
    t.has(words, "with the warm-up it should be 2")
  end)
end)

t.test("a task of several kernels needs no 'kernel', and gets no odd advice", function()
  t.compiler()
  local task = { data = { kernels = { "twice", "plus" }, outputs = { "y" },
    tolerance = 0,
    arguments = function(s, make)
      return { x = make.random(s.n), y = make.out("float", s.n) }
    end,
    steps = function(s, arg, k)
      return { { k.twice, arg.x, arg.y, grid = s.n },
        { k.plus, arg.y, grid = s.n } }
    end,
    reference = function(s, arg, out)
      for i = 0, s.n - 1 do out.y[i] = 2 * arg.x[i] + 1 end
    end,
    cases = { { n = 1 }, { n = 40 } } } }
  local v = judge.judge(task, [=[
kernel void twice(device const float *x, device float *y, uint i [[thread_position_in_grid]]) { y[i] = 2 * x[i]; }
kernel void plus(device float *y, uint i [[thread_position_in_grid]]) { y[i] = y[i] + 1; }]=])
  t.ok(v.ok, table.concat(v.lines, "\n"))
  local lost = course.find "guards"
  v = judge.judge(lost, read(lost.folder .. "/wrong/last-is-lost.metal"))
  t.ok(v.kinds.coverage)
  local said = table.concat(v.lines, "\n") .. table.concat(v.more, "\n")
  t.has(said, "round the number of groups up")
  t.ok(not said:find("outputs = {}", 1, true), said)
end)

t.test("a live example with a script plays in a lesson's sandbox", function()
  t.compiler()
  local program = "'" .. (os.getenv "METTLE" or "build/mettle") .. "'"
  local _, said = run(program .. [[ -e 'require("lua.session.sandbox").confine("]] .. scratch .. [[", "]] .. scratch
    .. [[", "a lesson") print("played", play{"mandelbrot", frames = 1, size = {8, 8}})']])
  t.has(said, "played")
end)

t.test("a lesson keeps its progress when its number changes", function()
  write(progress.path(), "passed 77-guards 2026-01-01\nat 77-guards\n")
  t.equal(progress.get("passed", "06-guards"), "2026-01-01")
  t.equal(course.of_key(progress.get "at").name, "06-guards")
  progress.set("passed", "06-guards", "2026-01-02")
  t.equal(read(progress.path()), "passed 06-guards 2026-01-02\nat 77-guards\n")
  os.remove(progress.path())
end)

-- A capstone of three tasks: double, then add, which uses it, then a program.
local capstone_text = [[
# Two kernels

## A look

```lua
x, y = gpu.buffer(4):iota(), gpu.buffer(4)
twice = answer "double"
twice{x = x, y = y, grid = 4}
total = y:sum()
```
```expect
total == 12
```

## Your turn: Double it

Write `double_it`.

## Your turn: Add them

Write `add_it`.

## Your turn: The program

Set `result`.

## What you saw

Three tasks.
]]

local capstone_data = [[
local function make_arguments(s, make)
  return { x = make.whole(s.n), y = make.out("float", s.n), z = make.out("float", s.n) }
end
return {
  title = "Two kernels", part = 1, minutes = 5,
  tasks = {
    { name = "double", title = "Double it", task = "Double.", kernel = "double_it",
      arguments = function(s, make) return { x = make.whole(s.n), y = make.out("float", s.n) } end,
      outputs = { "y" }, launch = function(s) return { grid = s.n } end,
      reference = function(s, arg, out) for i = 0, s.n - 1 do out.y[i] = 2 * arg.x[i] end end,
      cases = { { n = 1 }, { n = 2 }, { n = 40 } }, start_fails = "wrong",
      wrong = { a = "wrong", b = "wrong", c = "compile" }, hints = { "1", "2", "3" } },
    { name = "add", title = "Add them", task = "Add.", kernel = "add_it", uses = { "double" },
      arguments = make_arguments, outputs = { "z" },
      steps = function(s, arg, kernels)
        return { { kernels.double_it, x = arg.x, y = arg.y, grid = s.n },
          { kernels.add_it, x = arg.x, y = arg.y, z = arg.z, grid = s.n } }
      end,
      reference = function(s, arg, out) for i = 0, s.n - 1 do out.z[i] = 3 * arg.x[i] end end,
      cases = { { n = 1 }, { n = 2 }, { n = 40 } }, start_fails = "wrong",
      wrong = { a = "wrong", b = "wrong", c = "compile" }, hints = { "1", "2", "3" } },
    { name = "program", title = "The program", task = "Run.",
      exercise = function(env)
        if env.result ~= 12 then return false, "result is " .. tostring(env.result) end
        return true, "Right."
      end, start_fails = "wrong",
      wrong = { a = "wrong", b = "wrong", c = "error" }, hints = { "1", "2", "3" } },
  },
}
]]

local double_head = "kernel void double_it(device const float *x, device float *y,"
  .. " uint i [[thread_position_in_grid]]) {"
local add_head = "kernel void add_it(device const float *x, device const float *y,"
  .. " device float *z, uint i [[thread_position_in_grid]]) {"
local program_body = "x, y = gpu.buffer(4):iota(), gpu.buffer(4)\n"
  .. "k = answer 'double'\nk{x = x, y = y, grid = 4}\nresult = y:sum()"

-- Writes it to lessons/capstones/01-two below the folder; its path.
local function write_capstone(root)
  local folder = root .. "/lessons/capstones/01-two"
  local function answers(name, extension, start, solution, wrong)
    run(("mkdir -p '%s/%s/wrong'"):format(folder, name))
    local function put(file, s)
      write(("%s/%s/%s.%s"):format(folder, name, file, extension), s)
    end
    put("start", start)
    put("solution", solution)
    for wrong_name, s in pairs(wrong) do put("wrong/" .. wrong_name, s) end
  end
  answers("double", "metal", double_head .. "}", double_head
    .. " y[i] = 2 * x[i]; }",
    { a = double_head .. " y[i] = x[i]; }", b = double_head .. " y[i] = 0; }",
      c = "?" })
  answers("add", "metal", add_head .. "}", add_head .. " z[i] = x[i] + y[i]; }",
    { a = add_head .. " z[i] = y[i]; }", b = add_head .. " z[i] = 0; }",
      c = "?" })
  answers("program", "lua", "", program_body,
    { a = "result = 1", b = "result = 2", c = "error 'no'" })
  write(folder .. "/capstone.md", capstone_text)
  write(folder .. "/capstone.lua", capstone_data)
  return folder
end

t.test("a capstone of several tasks is whole", function()
  t.compiler()
  local folder = write_capstone(scratch)
  t.equal(table.concat((lint.check(folder)), "\n"), "")
  local function says(file, from, to, words)
    local whole = read(folder .. "/" .. file)
    local first, last = whole:find(from, 1, true)
    write(folder .. "/" .. file, whole:sub(1, first - 1) .. to
      .. whole:sub(last + 1))
    t.has(said_of(folder, file:find "/"), words)
    write(folder .. "/" .. file, whole)
  end
  says("capstone.md", "Your turn: Add them", "Your turn: Subtract", "capstone.md: the step of task 2 is called 'Your turn: Add them'")
  says("capstone.lua", 'uses = { "double" }', 'uses = { "program" }', "capstone.lua: add: uses names no earlier task: 'program'")
  says("add/solution.metal", "x[i] + y[i]", "x[i] - y[i]", "add/solution.metal does not pass")
  says("add/wrong/a.metal", "z[i] = y[i]", "z[i] = x[i] + y[i]", "add/wrong/a.metal passes, but should fail")
end)

t.test("a capstone's tasks are passed one by one, and build on the learner's answers", function()
  t.compiler()
  write_capstone(scratch)
  with_course(scratch, function(lesson, said)
    lesson.capstone(1)
    t.has(said(), "Capstone 1: Two kernels · 1 of 5 · A look")
    lesson.task()
    t.has(said(), "capstone-01-two-1-double.metal is now in this folder")
    -- one that passes, and says so by a mark that a later kernel can see
    write("capstone-01-two-1-double.metal", double_head .. " y[i] = x[i] + x[i]; } // mine")
    local right, words = lesson.check()
    t.has(said(), "Double it is passed. 2 of 3 tasks to go")
    t.equal(right, true)
    t.has(words, "Right for all")
    t.equal(progress.get("passed", "capstone-two-double") ~= nil, true)
    t.has(lesson.answer "double".source, "// mine")
    t.ok(not lesson.answer "add".source:find "mine")
    lesson.next()
    t.has(said(), "Your turn: Add them")
    write("capstone-01-two-2-add.metal", add_head .. " z[i] = y[i] + x[i]; }")
    lesson.check()
    t.has(said(), "Add them is passed. 1 of 3 tasks to go")
    -- an earlier answer that no longer compiles is no obstacle: ours is taken
    write("capstone-01-two-1-double.metal", "broken")
    t.has(lesson.answer "double".source, "2 * x[i]")
    lesson.next()
    write("capstone-01-two-3-program.lua", program_body)
    lesson.check()
    t.has(said(), "and so is capstone 1 Two kernels")
    lesson.capstone()
    t.has(said(), "3 of 3 tasks passed")
    t.equal(lesson.prompt(), "capstone 1 two 4/5 ✓1")
  end)
end)

--------------------------------------------------------------------- the linter

-- A copy of lesson 6 with one change; what the linter says of it.
local function linted(change, needs_answers)
  local folder = scratch .. "/06-guards"
  run("rm -rf '" .. folder .. "'; cp -r '" .. course.folder() .. "/06-guards' '"
    .. folder .. "'")
  change(folder)
  return said_of(folder, needs_answers)
end

local function replace(file, from, to)
  return function(folder)
    local path = folder .. "/" .. file
    local all = read(path)
    local first, last = all:find(from, 1, true)
    assert(first, "nothing to replace in " .. file)
    write(path, all:sub(1, first - 1) .. to .. all:sub(last + 1))
  end
end

-- what it must say, the change, and whether the answers have to be judged
local ANSWERS = true
local seeded = {
  { "start.metal passes", function(f)
    run("cp " .. f .. "/solution.metal " .. f .. "/start.metal")
    replace("lesson.lua", 'start_fails = "out-of-bounds"', 'start_fails = "wrong"')(f)
  end, ANSWERS },
  { "start.metal should fail by wrong", replace("lesson.lua", 'start_fails = "out-of-bounds"', 'start_fails = "wrong"'), ANSWERS },
  { "solution.metal does not pass", replace("solution.metal", "2 * x[i]", "3 * x[i]"), ANSWERS },
  { "solution.metal does not pass", replace("solution.metal", "2 * x[i]", "2 * zz[i]"), ANSWERS },
  { "wrong/inverted.metal passes", function(f) run("cp " .. f .. "/solution.metal " .. f .. "/wrong/inverted.metal") end, ANSWERS },
  { "wrong/inverted.metal is named in lesson.lua, but not there", function(f) os.remove(f .. "/wrong/inverted.metal") end },
  { "wrong/new.metal is not named", function(f) write(f .. "/wrong/new.metal", "x") end },
  { "three wrong answers", function(f) run("rm " .. f .. "/wrong/*.metal"); replace("lesson.lua", "wrong = {", "wrong = {}, other = {")(f) end },
  { "challenges/quarter.metal does not pass", replace("challenges/quarter.metal", "2 * x[j]", "3 * x[j]"), ANSWERS },
  { "the start of challenges/quarter.metal passes", function(f)
    run("cd " .. f .. "/challenges; cp quarter.metal quarter.start.metal")
  end, ANSWERS },
  { "challenges/quarter.wrong.metal passes, but should fail", function(f)
    run("cd " .. f .. "/challenges; cp quarter.metal quarter.wrong.metal")
  end, ANSWERS },
  { "a wrong answer is a file, and 'wrong'", function(f) os.remove(f .. "/challenges/quarter.wrong.metal") end },
  { "the challenge quarter needs a wrong answer", replace("lesson.lua", 'wrong = "out-of-bounds",', "") },
  { "the score of quarter needs say", replace("lesson.lua", 'n = 4000 }, say =', 'n = 4000 }, tell =') },
  { "quarter: no 'lines' is counted for each thread", replace("lesson.lua", 'score = { profile = "lines",', 'score = { profile = "lines", per = "busiest thread",') },
  { "score must be a table", replace("lesson.lua", 'score = { profile = "lines",', 'scores = { profile = "lines",') },
  { "'lesson 4' may be another one soon", replace("lesson.md", "## What you saw\n", "## What you saw\n\nAs in lesson 4.\n") },
  { "three hints", replace("lesson.lua", "hints = {", 'hints = { "one" }, more = {') },
  { "task must be a string", replace("lesson.lua", "task =", "tusk =") },
  { "help:nowhere leads nowhere", replace("lesson.md", "glossary:guard", "help:nowhere") },
  { "this code fails", replace("lesson.md", "whole:fill(7)", "whole:fill(nothing.at.all)") },
  { "should fail, but does not", replace("lesson.md", "```lua\nwhole = ", "```lua fails\nwhole = ") },
  { "'thread 101' is not on the screen", replace("lesson.md", '"thread 100"', '"thread 101"') },
  { "shows something, and no expect says what", replace("lesson.md", "```expect\nshows \"0 0 0 0 7", "```text\nshows \"0 0 0 0 7") },
  { "expect stands below a block of Lua", replace("lesson.md", "## The guard\n", "## The guard\n\n```expect\ntrue\n```\n") },
  { "does not compile", replace("lesson.md", "## The guard\n", "## The guard\n\n```metal\nkernel void f(device float *a) { a[0] = q; }\n```\n") },
  { "the title 'A quarter of the threads, or even less of them, and nothing else' is too long", replace("lesson.lua", 'title = "A quarter of the threads"', 'title = "A quarter of the threads, or even less of them, and nothing else"') },
  { "the title 'Four five six seven eight nine ten eleven twelve thirteen fourteen' is too long", replace("lesson.md", "## The guard", "## Four five six seven eight nine ten eleven twelve thirteen fourteen") },
  { "more than 74 columns", replace("lesson.md", "whole:fill(7)\n",
    "whole:fill(7) " .. ("-"):rep(70) .. "\n") },
  { "takes 25 lines of a screen, which has 24", replace("lesson.md", "the value is never used.", "the value is never used.\n\nword") },
  { "lines of a screen, which has 24", replace("lesson.md", "## The guard\n", "## The guard\n" .. ("\nwords\n"):rep(30)) },
  { "called 'What you saw'", replace("lesson.md", "## What you saw", "## What I saw") },
  { "'Your turn'", replace("lesson.md", "## Your turn", "## My turn") },
  { "names no way to fail", replace("lesson.lua", 'inverted"] = "wrong"', 'inverted"] = "wrongly"') },
  { "rule 1: forbid names no attribute", replace("lesson.lua", "cases =", 'rules = { { forbid = "position_of_thread", say = "s" } }, cases =') },
  { "rule 1: a rule needs say", replace("lesson.lua", "cases =", 'rules = { { forbid = "thread_position_in_grid" } }, cases =') },
  { "rule 1: a rule has either", replace("lesson.lua", "cases =", 'rules = { { forbids = 1, say = "s" } }, cases =') },
  { "no wrong answer fails by a rule", replace("lesson.lua", "cases =", 'rules = { { parameters = { "x", "y", "n" }, say = "s" } }, cases ='), ANSWERS },
  { "target 1: issued needs at_most", replace("lesson.lua", "targets = {", 'targets = { { profile = "issued", say = "s" },') },
  { "target 1: nothing is counted per 'threads'", replace("lesson.lua", "targets = {", 'targets = { { profile = "issued", per = "threads", at_most = 1, say = "s" },') },
  { "target 1: no 'lines' is counted for each thread", replace("lesson.lua", "targets = {", 'targets = { { profile = "lines", per = "busiest thread", at_most = 1, say = "s" },') },
  { "right/wrongly.metal does not pass", function(f) run("mkdir -p " .. f .. "/right; cp " .. f .. "/start.metal " .. f .. "/right/wrongly.metal") end, ANSWERS },
  { "'mend' reads as translated: fix", replace("lesson.md", "give it a guard.", "mend it.") },
  { "'behind' reads as translated", replace("lesson.lua", 'task = "Make', 'task = "Behind it, make') },
  { "title is not that", replace("lesson.md", "# Guards", "# Wards") },
  { "'}' expected near", replace("lesson.lua", "return {", "return { kernel scale") },
  { "lesson.lua", function(f) os.remove(f .. "/lesson.lua") end },
  { "solution.metal", function(f) os.remove(f .. "/solution.metal") end },
}

for _, case in ipairs(seeded) do
  t.test("the linter says: " .. case[1], function()
    t.has(linted(case[2], case[3]), case[1])
  end)
end

t.test("the command says it with its exit status", function()
  local program = "'" .. (os.getenv "METTLE" or "build/mettle") .. "'"
  local ok, said = run(program .. " lesson check '" .. course.folder()
    .. "/02-buffers'")
  t.ok(ok, said)
  t.has(said, "good")
  ok, said = run(program .. " lesson check '" .. scratch .. "/none'; echo $?")
  t.has(said, "\n2\n")
  ok, said = run(program .. " lesson check --time-limit; echo $?")
  t.has(said, "usage: mettle lesson check DIR")
  t.has(said, "\n2\n")
end)

t.test("a warning names the learner's file, as an error does", function()
  t.compiler()
  local l = course.find(4)
  write(scratch .. "/04-first-kernel.metal",
    (l.solution:gsub("{\n", "{\n  float unused = 1;\n", 1)))
  local program = (os.getenv "METTLE" or "build/mettle"):gsub("^build",
    io.popen("pwd"):read "l" .. "/build")
  local _, said = run(("cd '%s' && XDG_STATE_HOME='%s' '%s' -e 'lesson(4) check()'")
    :format(scratch, scratch, program))
  t.has(said, "04-first-kernel.metal:")
  t.has(said, "unused variable")
  t.ok(not said:find "program_source", said)
end)

run("rm -rf '" .. scratch .. "'")
t.done()
