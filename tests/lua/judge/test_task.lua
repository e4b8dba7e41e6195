-- test_task.lua - tasks of lessons that are in a scratch folder: what is read
-- of them, answers of tasks before, challenges; and the rules that a task may
-- have, over kernels that are lists of parameters.
--
-- Guards: lua/judge/{task, rule}.lua: each condition on both of its sides
local t = dofile "tests/tap.lua"
local check = require "lua.check.check"
local rule = require "lua.judge.rule"
local task = require "lua.judge.task"

local folder = os.tmpname()
os.remove(folder)

local function write(name, content)
  os.execute(("mkdir -p '%s.d/%s'"):format(folder,
    name:match "^(.*)/[^/]*$" or "."))
  local f = assert(io.open(folder .. ".d/" .. name, "w"))
  f:write(content)
  f:close()
end

-- The message, word for word.
local function raises(words, f, ...)
  local ok, why = pcall(f, ...)
  t.equal(ok, false)
  t.equal(why, words)
end

local function lesson(data)
  return { data = data, folder = folder .. ".d", source = "lesson.lua",
    stem = "lesson-3", key = "three", short = "3",
    env = setmetatable({ seven = 7 }, { __index = _G }) }
end

------------------------------------------------------------------------ files

t.test("files are read, or said to be missing", function()
  write("a.txt", "one\ntwo")
  t.equal(task.read(folder .. ".d/a.txt"), "one\ntwo")
  t.equal(task.exists(folder .. ".d/a.txt"), true)
  t.equal(task.exists(folder .. ".d/b.txt"), false)
  raises(folder .. ".d/b.txt: No such file or directory", task.read,
    folder .. ".d/b.txt")
  raises(folder .. ".d cannot be read", task.read, folder .. ".d")
end)

t.test("a lesson is its own task, in Lua or in Metal", function()
  write("start.metal", "metal start")
  write("solution.metal", "metal solution")
  local l = lesson {}
  task.read_all(l)
  t.equal(#l.tasks, 1)
  t.equal(l.tasks[1], l)
  t.equal(l.lesson, l)
  t.equal(l.extension, "metal")
  t.equal(l.start, "metal start")
  t.equal(l.solution, "metal solution")
  write("start.lua", "x = 1")
  write("solution.lua", "x = 2")
  l = lesson {}
  task.read_all(l)
  t.equal(l.extension, "lua")
  t.equal(l.start, "x = 1")
  t.equal(l.solution, "x = 2")
end)

local function capstone()
  for _, name in ipairs { "first", "next-2" } do
    write(name .. "/start.lua", "a = 0")
    write(name .. "/solution.lua", "a = '" .. name .. "'")
  end
  local l = lesson { tasks = { { name = "first", exercise = true },
    { name = "next-2", title = "The next", exercise = true } } }
  task.read_all(l)
  return l
end

t.test("a capstone has a folder for each task", function()
  local l = capstone()
  t.equal(#l.tasks, 2)
  local one, two = l.tasks[1], l.tasks[2]
  t.equal(one.name, "first")
  t.equal(one.title, "first")
  t.equal(two.title, "The next")
  t.equal(two.number, 2)
  t.equal(two.stem, "lesson-3-2-next-2")
  t.equal(two.key, "three-next-2")
  t.equal(two.folder, folder .. ".d/next-2")
  t.equal(two.solution, "a = 'next-2'")
  t.equal(two.lesson, l)
  t.equal(two.env, l.env)
  t.equal(two.data, l.data.tasks[2])
  t.equal(task.find(l, "first"), one)
  t.equal(task.find(l, "next-2"), two)
  t.equal(task.find(l, "none"), nil)
  one.short = "f"
  t.equal(task.find(l, "f"), one)
end)

t.test("a task has a name in lower case", function()
  for _, data in ipairs { "first", { name = "First" }, { name = "2nd" }, {},
    { name = "a b" }, { name = 5 } } do
    raises("lesson.lua: task 1 needs a name in lower case", task.read_all,
      lesson { tasks = { data } })
  end
end)

---------------------------------------------------------------------- answers

t.test("an earlier answer is the learner's if it runs, else ours", function()
  local l = capstone()
  local env, own = task.answer(l, "first")
  t.equal(env.a, "first")
  t.equal(own, false)
  env, own = task.answer(l, "first", function(of)
    t.equal(of, l.tasks[1])
    return "a = seven"
  end)
  t.equal(env.a, 7, "with the lesson's globals")
  t.equal(own, true)
  for _, broken in ipairs { "a = = 5", "error 'x'" } do
    env, own = task.answer(l, "first", function() return broken end)
    t.equal(env.a, "first")
    t.equal(own, false)
  end
  env, own = task.answer(l, "first", function() return nil end)
  t.equal(own, false)
  raises("there is no task 'none' here to take the answer of", task.answer, l,
    "none")
  raises("there is no task 'first' here to take the answer of", task.answer,
    nil, "first")
end)

t.test("an answer may take the answer of another task", function()
  local l = capstone()
  l.tasks[2].solution = "b = answer('first').a"
  t.equal(task.answer(l, "next-2").b, "first")
  l.tasks[2].solution = "b = = 1"
  local ok, why = pcall(task.answer, l, "next-2")
  t.equal(ok, false)
  t.has(why, "lesson-3-2-next-2.lua:1:")
  l.env = nil
  l.tasks[1].env, l.tasks[1].solution = nil, "a = type(print)"
  t.equal(task.answer(l, "first").a, "function")
end)

t.test("kernels of a task and of those that it uses", function()
  t.compiler()
  local l = lesson {}
  local function kernel(name)
    return ("kernel void %s(device float *x [[buffer(0)]]) { x[0] = 1; }\n")
      :format(name)
  end
  l.tasks = {
    { name = "a", lesson = l, data = { kernel = "one" },
      solution = kernel "one" .. kernel "other" },
    { name = "b", lesson = l, data = { kernels = { "two", "three" } },
      solution = kernel "two" .. kernel "three" },
    { name = "c", lesson = l, data = { kernel = "four", uses = { "a", "b" } } },
    { name = "d", lesson = l,
      data = { kernels = { "five" }, uses = { "a" } } } }
  local all = task.with_earlier(l.tasks[3], "mine")
  t.equal(all.four, "mine")
  t.equal(all.one.name, "one")
  t.equal(all.two.name, "two")
  t.equal(all.three.name, "three")
  all = task.with_earlier(l.tasks[4], { five = "mine" })
  t.equal(all.five, "mine")
  t.equal(all.one.name, "one")
  t.equal(all.two, nil)
end)

-------------------------------------------------------------------- challenges

t.test("a challenge takes over what it does not say", function()
  write("challenges/fast.metal", "ours")
  write("challenges/slow.start.metal", "begin")
  write("challenges/slow.wrong.metal", "bad")
  write("challenges/slow.metal", "ours")
  write("challenges/spoken.lua", "x = 1")
  local launch = function() end
  local l = lesson { kernel = "k", kernels = { "a" }, launch = "l", steps = "s",
    tolerance = 0.5, title = "not taken over", challenges = {
      { name = "fast", title = "Fast", score = 1 },
      { name = "slow", kernel = "own", launch = launch, tolerance = 2 },
      { name = "spoken", exercise = true, steps = launch } } }
  l.solution, l.name = "the lesson's", "three"
  local list = task.challenges(l)
  t.equal(#list, 3)
  t.equal(task.challenges(l), list)
  local one, two, three = list[1], list[2], list[3]
  t.equal(one.title, "Fast")
  t.equal(one.start, "the lesson's")
  t.equal(one.solution, "ours")
  t.equal(one.wrong, nil)
  t.equal(one.challenge, true)
  t.equal(one.number, 1)
  t.equal(one.extension, "metal")
  t.equal(one.env, l.env)
  t.equal(one.folder, l.folder)
  t.equal(one.lesson, l)
  t.equal(one.stem, "lesson-3-challenge-1")
  t.equal(one.key, "challenge-3-fast")
  t.equal(one.data.kernel, "k")
  t.equal(one.data.kernels, l.data.kernels)
  t.equal(one.data.launch, "l")
  t.equal(one.data.steps, "s")
  t.equal(one.data.tolerance, 0.5)
  t.equal(one.data.title, "Fast")
  t.equal(two.title, "slow")
  t.equal(two.start, "begin")
  t.equal(two.wrong, "bad")
  t.equal(two.data.kernel, "own")
  t.equal(two.data.kernels, nil)
  t.equal(two.data.launch, launch)
  t.equal(two.data.steps, nil)
  t.equal(two.data.tolerance, 2)
  t.equal(three.extension, "lua")
  t.equal(three.solution, "x = 1")
  t.equal(three.data.kernel, nil)
  t.equal(three.data.launch, nil)
  t.equal(three.data.steps, launch)
  t.equal(#task.challenges(lesson {}), 0)
  for _, given in ipairs { "fast", { name = "Fast" } } do
    raises("lesson.lua: challenge 1 needs a name in lower case",
      task.challenges, lesson { challenges = { given } })
  end
end)

------------------------------------------------------------------------- rules

-- A kernel by its parameters: "buffer:2:y".
local function kernel(...)
  local k = { params = {} }
  for i, text in ipairs { ... } do
    local kind, index, name = text:match "^(.-):(.-):(.*)$"
    k.params[i] = { kind = kind, index = tonumber(index), name = name,
      attribute = kind == "builtin" and name or nil }
  end
  return { k }
end

t.test("arguments in the order of their bindings", function()
  local host = check.host
  check.host = function() error "not here" end
  local r = { parameters = { "x", "y", "n" }, say = "s" }
  t.equal(rule.judge(r, kernel("buffer:0:x", "buffer:1:y", "buffer:2:n")), nil)
  t.equal(rule.judge(r, kernel("buffer:2:n", "buffer:0:x", "buffer:1:y")), nil)
  t.equal(rule.judge(r, kernel("buffer::x", "buffer:1:y", "buffer:2:n",
    "builtin::i", "threadgroup:0:tile")), nil)
  t.equal(rule.judge(r, kernel("buffer:0:y", "buffer:1:x", "buffer:2:n")),
    "its arguments are bound in the order y, x, n, "
    .. "and the task asks for x, y, n")
  t.equal(rule.judge(r, kernel("texture:0:n", "buffer:1:y", "buffer:0:x")), nil)
  t.ok(rule.judge(r, kernel("buffer:0:x", "buffer:1:y")))
  check.host = host
end)

t.test("a place that is ruled out", function()
  local host = check.host
  check.host = function(k) return k end
  local r = { forbid = "thread_index_in_simdgroup", say = "s" }
  t.equal(rule.judge(r, kernel("buffer:0:x", "builtin::i")), nil)
  t.equal(rule.judge(r, kernel("buffer:0:x",
    "builtin::thread_index_in_simdgroup")),
    "it uses [[thread_index_in_simdgroup]], which the task rules out")
  -- as the host's compiler saw it
  check.host = function()
    return kernel "builtin::thread_index_in_simdgroup"[1]
  end
  t.ok(rule.judge(r, kernel "buffer:0:x"))
  check.host = host
end)

t.test("rules that make no sense", function()
  local either = "a rule has either 'forbid' or 'parameters'"
  t.equal(rule.mistake("forbid", {}), either)
  t.equal(rule.mistake({}, {}), either)
  t.equal(rule.mistake({ forbid = "x", parameters = { "x" } }, {}), either)
  t.equal(rule.mistake({ forbid = "x" }, {}),
    "a rule needs say: a sentence that tells why")
  t.equal(rule.mistake({ parameters = "x", say = "s" }, {}),
    "parameters is a list of names")
  t.equal(rule.mistake({ parameters = {}, say = "s" }, {}),
    "parameters is a list of names")
  t.equal(rule.mistake({ parameters = { "x" }, say = "s" }, { kernels = {} }),
    "parameters is for lessons of one kernel")
  t.equal(rule.mistake({ parameters = { "x" }, say = "s" }, {}), nil)
  t.equal(rule.mistake({ forbid = 5, say = "s" }, {}),
    "forbid names no attribute of a thread's place: '5'")
  t.equal(rule.mistake({ forbid = "Thread", say = "s" }, {}),
    "forbid names no attribute of a thread's place: 'Thread'")
  t.compiler()
  t.equal(rule.mistake({ forbid = "no_place", say = "s" }, {}),
    "forbid names no attribute of a thread's place: 'no_place'")
  t.equal(rule.mistake({ forbid = "thread_index_in_simdgroup", say = "s" }, {}),
    nil)
end)

t.done()
