-- task.lua - what is asked of a learner: the tasks of a lesson.
--
--   task.read_all(lesson)        fills lesson.tasks
--   task.challenges(lesson)      its further tasks, each with a score
--   task.answer(lesson, name [, own])  an earlier answer, ready to be used
--
-- A task: lesson, name, stem (of the learner's file), key (in the progress),
-- title, data (arguments, reference, cases …), env, folder, extension, start
-- and solution. A lesson or puzzle has one task, which is the lesson itself; a
-- capstone has several, each in a folder of its own beneath it, in the order of
-- 'tasks' in capstone.lua.
--
-- A task may build on those before it: its data names them in 'uses', and code
-- in Lua asks answer "name". What they get is what the learner wrote if that
-- has passed and still compiles, and our solution otherwise, so that no one is
-- stuck because of a step before.
local file = require "lua.session.user_file"

local task = {}

function task.read(path)
  local f, why = io.open(path)
  if not f then error(why, 0) end
  local all = f:read "a"
  f:close()
  if not all then error(path .. " cannot be read", 0) end
  return all
end

function task.exists(path)
  local f = io.open(path)
  if f then f:close() end
  return f ~= nil
end

-- What the folder of a task holds.
local function read_files(t)
  t.extension = task.exists(t.folder .. "/start.lua") and "lua" or "metal"
  t.start = task.read(t.folder .. "/start." .. t.extension)
  t.solution = task.read(t.folder .. "/solution." .. t.extension)
  return t
end

local function is_word(name)
  return type(name) == "string" and name:find "^%l[%l%d-]*$" ~= nil
end

local function of_capstone(l, number, data)
  if type(data) ~= "table" or not is_word(data.name) then
    error(("%s: task %d needs a name in lower case"):format(l.source, number),
      0)
  end
  return read_files { lesson = l, name = data.name, data = data, env = l.env,
    folder = l.folder .. "/" .. data.name, number = number,
    stem = ("%s-%d-%s"):format(l.stem, number, data.name),
    key = l.key .. "-" .. data.name,
    title = data.title or data.name }
end

function task.read_all(l)
  if type(l.data.tasks) ~= "table" then
    l.lesson = l
    l.tasks = { read_files(l) }
    return
  end
  l.tasks = {}
  for i, data in ipairs(l.data.tasks) do
    l.tasks[i] = of_capstone(l, i, data)
  end
end

-- The task of that name, or nil.
function task.find(l, name)
  for _, t in ipairs(l.tasks) do
    if t.name == name or t.short == name then return t end
  end
end

------------------------------------------------------------- earlier answers

-- One kernel, or a table of them where the task names several; compiled.
function task.compile(data, source)
  local options = { name = not data.kernels and data.kernel or nil,
    defines = data.defines, math = data.math }
  if not data.kernels then return gpu.kernel(source, options) end
  local library, list = gpu.library(source, options), {}
  for _, name in ipairs(data.kernels) do list[name] = library:kernel(name) end
  return list
end

local function run_lua(t, source, base)
  local env = setmetatable({}, { __index = base or t.env or _G })
  local f, why = load(source, "@" .. file.name(t), "t", env)
  if not f then error(why, 0) end
  f()
  return env
end

-- The globals that an answer in Lua sets, or its kernels.
local function ready(t, source)
  if not t.data.exercise then return task.compile(t.data, source) end
  local function answer(name) return (task.answer(t.lesson, name)) end
  return run_lua(t, source,
    setmetatable({ answer = answer }, { __index = t.env or _G }))
end

-- 'own(t)' gives the learner's source for a task, or nil. The answer, and
-- whether it is the learner's.
function task.answer(l, name, own)
  local t = l and task.find(l, name)
  if not t then
    error(("there is no task '%s' here to take the answer of"):format(
      tostring(name)), 0)
  end
  local mine = own and own(t)
  local ok, made
  if mine then ok, made = pcall(ready, t, mine) end
  if ok then return made, true end
  return ready(t, t.solution), false
end

-- The kernels of a task and of those that it uses, by name.
function task.with_earlier(t, kernel, own)
  local all = {}
  local function take(data, k)
    if not data.kernels then all[data.kernel] = k
    else for name, one in pairs(k) do all[name] = one end end
  end
  for _, name in ipairs(t.data.uses) do
    take(task.find(t.lesson, name).data, (task.answer(t.lesson, name, own)))
  end
  take(t.data, kernel)
  return all
end

------------------------------------------------------------------ challenges

-- What a challenge takes over from its lesson where it does not say otherwise.
local inherited = { "kernel", "kernels", "arguments", "outputs", "launch",
  "steps", "reference", "tolerance", "additions", "scale", "strays", "cases",
  "special", "checker", "defines", "math", "fixed_group" }

local function challenge_data(l, given)
  local data = {}
  for _, name in ipairs(inherited) do data[name] = l.data[name] end
  if given.kernel or given.kernels or given.exercise then
    data.kernel, data.kernels = nil, nil
  end
  if given.launch or given.steps then data.launch, data.steps = nil, nil end
  for name, v in pairs(given) do data[name] = v end
  return data
end

local function of_challenge(l, number, given)
  if type(given) ~= "table" or not is_word(given.name) then
    error(("%s: challenge %d needs a name in lower case"):format(l.source,
      number), 0)
  end
  local path = ("%s/challenges/%s"):format(l.folder, given.name)
  local extension = given.exercise and "lua" or "metal"
  local function text_of(kind)
    local name = path .. kind .. "." .. extension
    return task.exists(name) and task.read(name) or nil
  end
  return { lesson = l, name = given.name, number = number, challenge = true,
    stem = ("%s-challenge-%d"):format(l.stem, number),
    key = ("challenge-%s-%s"):format(l.short, given.name),
    title = given.title or given.name, data = challenge_data(l, given),
    env = l.env, folder = l.folder, extension = extension,
    start = text_of ".start" or l.solution, wrong = text_of ".wrong",
    solution = task.read(path .. "." .. extension) }
end

function task.challenges(l)
  if not l.challenges then
    l.challenges = {}
    for i, given in ipairs(l.data.challenges or {}) do
      l.challenges[i] = of_challenge(l, i, given)
    end
  end
  return l.challenges
end

return task
