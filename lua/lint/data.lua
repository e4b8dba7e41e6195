-- data.lua - the linter's look at lesson.lua: is everything there
-- that a task needs, and does it make sense?
--
--   data.check(lesson, add, of_task)  of_task(t, add): 'add' for a task's files
--   data.check_wrong_names(task, add) its wrong answers: named, and there
--   data.check_challenge(task, add)   true if it can be tried
--   data.answers(task, folder)        names of the files in wrong/ or right/
local system = require "mettle.system"
local task = require "lua.judge.task"
local ways = require "lua.judge.ways"

local data = {}

local function need(d, add, name, kind)
  if type(d[name]) ~= kind then
    add(("lesson.lua: %s must be a %s"):format(name, kind))
  end
end

local function check_expected(where, expected, add)
  for _, kind in ipairs(ways.list(expected)) do
    if not ways.all[kind] then
      add(("lesson.lua: %s names no way to fail: '%s'"):format(where,
        tostring(kind)))
    end
  end
end

function data.answers(l, folder)
  local names = {}
  for _, name in ipairs(system.list(l.folder .. "/" .. folder)) do
    names[#names + 1] = name:match("^(.*)%." .. l.extension .. "$")
  end
  return names
end

-- Rules and targets: do they make sense, and does a wrong answer prove each
-- kind?
local function check_asked(d, add)
  local proved = {}
  for _, expected in pairs(type(d.wrong) == "table" and d.wrong or {}) do
    for _, kind in ipairs(ways.list(expected)) do proved[kind] = true end
  end
  for _, kind in ipairs(ways.list(d.start_fails)) do proved[kind] = true end
  for word, of in pairs { rule = "lua.judge.rule",
    target = "lua.judge.target" } do
    local list = d[word .. "s"]
    for i, one in ipairs(type(list) == "table" and list or {}) do
      local why = require(of).mistake(one, d)
      if why then add(("lesson.lua: %s %d: %s"):format(word, i, why)) end
    end
    if list ~= nil and not proved[word] then
      add(("lesson.lua: no wrong answer fails by a %s"):format(word))
    end
  end
end

-- What a kernel is tried with.
local function check_problem(d, add)
  for name, kind in pairs { arguments = "function", outputs = "table",
    reference = "function", cases = "table" } do
    need(d, add, name, kind)
  end
  if not (d.kernel or d.kernels) then
    add "lesson.lua: kernel must name the kernel"
  end
  if not (d.launch or d.steps) then
    add "lesson.lua: launch or steps is missing"
  end
  if type(d.cases) == "table" and #d.cases < 3 then
    add "lesson.lua: three cases at least"
  end
end

-- A task uses only those that come before it.
local function check_uses(t, add)
  for _, name in ipairs(type(t.data.uses) == "table" and t.data.uses or {}) do
    local other = task.find(t.lesson, name)
    if not other or other == t or (other.number or 0) > (t.number or 0) then
      add(("lesson.lua: uses names no earlier task: '%s'"):format(
        tostring(name)))
    end
  end
end

local function check_task(t, add)
  local d = t.data
  for name, kind in pairs { task = "string", hints = "table",
    wrong = "table" } do need(d, add, name, kind) end
  if not (type(d.start_fails) == "string"
    or type(d.start_fails) == "table") then
    add "lesson.lua: start_fails must say why the start does not pass"
  else
    check_expected("start_fails", d.start_fails, add)
  end
  check_asked(d, add)
  check_uses(t, add)
  if d.picture ~= nil or t.lesson.set.word == "puzzle" then
    local why = require "lua.judge.picture".mistake(t)
    if why then add("lesson.lua: " .. why) end
  end
  if type(d.hints) == "table" and #d.hints < 3 then
    add(("lesson.lua: three hints at least, not %d"):format(#d.hints))
  end
  if not d.exercise then
    check_problem(d, add)
  elseif t.extension ~= "lua" then
    add "an exercise at the prompt has start.lua, not start.metal"
  end
end

function data.check(l, add, of_task)
  local d = l.data
  for name, kind in pairs { title = "string", part = "number",
    minutes = "number" } do need(d, add, name, kind) end
  if d.title ~= l.title then
    add "lesson.lua: the title is not that of lesson.md"
  end
  if l.set.word == "capstone" and #l.tasks < 2 then
    add "lesson.lua: a capstone has several tasks"
  end
  for _, t in ipairs(l.tasks) do check_task(t, of_task(t, add)) end
end

function data.check_wrong_names(l, add)
  local there = {}
  for _, name in ipairs(data.answers(l, "wrong")) do
    there[name] = true
    if not l.data.wrong[name] then
      add(("wrong/%s.%s is not named in lesson.lua"):format(name, l.extension))
    end
  end
  local count = 0
  for name, expected in pairs(l.data.wrong) do
    count = count + 1
    if not there[name] then
      add(("wrong/%s.%s is named in lesson.lua, but not there"):format(name,
        l.extension))
    end
    check_expected("wrong['" .. name .. "']", expected, add)
  end
  if count < 3 then
    add(("three wrong answers at least, not %d"):format(count))
  end
end

-- A score is a target without a limit; what a program counts has its own words.
local function check_score(t, add)
  local score = t.data.score
  local why
  if t.data.exercise then
    why = type(score.counts) ~= "string" and "counts must be a string" or nil
  else
    why = require "lua.judge.target".mistake(setmetatable(
      { at_most = 0, say = "" }, { __index = score }))
  end
  if why then add(("lesson.lua: %s: %s"):format(t.name, why)) end
end

function data.check_challenge(t, add)
  local d = t.data
  for field, kind in pairs { title = "string", task = "string",
    score = "table", hints = "table" } do need(d, add, field, kind) end
  if not d.exercise then check_problem(d, add) end
  if d.wrong ~= nil then check_expected(t.name .. ".wrong", d.wrong, add)
  else
    add(("lesson.lua: the challenge %s needs a wrong answer"):format(t.name))
  end
  if (d.wrong ~= nil) ~= (t.wrong ~= nil) then
    add(("challenges/%s.wrong.%s: a wrong answer is a file, and 'wrong' in "
      .. "lesson.lua says how it fails"):format(t.name, t.extension))
  end
  if type(d.score) ~= "table" then return false end
  if type(d.score.say) ~= "string" then
    add(("lesson.lua: the score of %s needs say, a sentence for those "
      .. "who pay too much"):format(t.name))
  end
  check_score(t, add)
  return true
end

return data
