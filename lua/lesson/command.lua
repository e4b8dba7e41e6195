-- command.lua - mettle lesson 4, mettle puzzle 3, mettle lesson watch …: the
-- course from the shell.
--
--   command.main(words, set)   'set': "lesson", "puzzle" or "capstone". Leaves
--                              "console" in words.wants where the person goes
--                              on at the prompt; the status in words.status
--
-- The words are those of the prompt: what is open, and how far, is shared with
-- it. `mettle lesson check DIR` is the linter (repl/commands/lesson.c).
local course = require "lua.lesson.course"
local fail = require "lua.session.usage"
local lesson = require "lua.lesson.lesson"
local system = require "mettle.system"
local tasks = require "lua.judge.task"
local verdict = require "lua.session.verdict"

local command = {}

-- What the prompt's function of the same name does.
local verbs = { hint = true, solution = true, reset = true, edit = true,
  task = true, run = true, next = true, back = true }

-- A sentence of the prompt, for the shell.
local function in_shell_words(why)
  return (why:gsub("lessons%(%)", "mettle lesson list"):gsub("(%l+)%(%) lists",
    "mettle %1 list lists"))
end

--------------------------------------------------------------------- opening

-- "4", "4 2", "first kernel", "guards 3": a lesson, and a step of it.
local function meant(words, from, set)
  local rest = table.move(words, from, #words, 1, {})
  local step = #rest > 1 and math.tointeger(tonumber(rest[#rest]))
  if step then rest[#rest] = nil end
  local name = table.concat(rest, " ")
  local l, why = course.find(math.tointeger(tonumber(name)) or name, set)
  if not l then fail("%s", in_shell_words(why)) end
  return l, step or nil
end

local function open(words, from, set)
  local l, step = meant(words, from, set)
  lesson[set](l.number, step)
end

-- Without a number: where the learner was; the list of another set.
local function go_on(words, set)
  lesson[set]()
  if set == "lesson" then words.wants = "console" end
end

-------------------------------------------------------------------- checking

local function plain(stem) return (stem:gsub("%d%d%-", "", 1)) end

-- The task whose file is called so; its number may be another.
local function task_of(path)
  local stem = path:match "([^/]*)%.%a+$" or path:match "[^/]*$"
  for _, set in ipairs(course.sets) do
    for _, name in ipairs(course.names(set.word)) do
      local l = course.get(name, set.word)
      for _, list in ipairs { l.tasks, tasks.challenges(l) } do
        for _, t in ipairs(list) do
          if plain(t.stem) == plain(stem) then return t end
        end
      end
    end
  end
  fail("%s is not called like the file of a lesson: say which it answers, "
    .. "as in mettle lesson check %s --task guards",
    path, path)
end

-- Files, and the task that --task names.
local function read_words(words, set)
  local files, named, i = {}, nil, 2
  while words[i] do
    if words[i] == "--task" then
      i = i + 1
      if not words[i] then
        fail "--task needs a lesson after it: --task guards"
      end
      local ok, _, t = pcall(lesson.named,
        set == "lesson" and words[i] or set .. " " .. words[i])
      if not ok then fail("%s", in_shell_words(tostring(_))) end
      named = t
    elseif words[i]:sub(1, 1) == "-" then
      fail("unknown option %s; mettle %s --help lists them", words[i], set)
    else
      files[#files + 1] = words[i]
    end
    i = i + 1
  end
  return files, named
end

local function check(words, set)
  local files, named = read_words(words, set)
  if #files == 0 and named then
    fail "which file? mettle lesson --help says more"
  end
  if #files == 0 then lesson.check() end
  for i, path in ipairs(files) do
    if #files > 1 then print((i > 1 and "\n" or "") .. path) end
    if not system.there(path) then fail("no file or folder %s", path) end
    lesson.judge_file(named or task_of(path), path)
  end
  words.status = verdict.status()
end

local function watch(words, set)
  if words[2] then open(words, 2, set) end
  lesson.watch()
  words.status = verdict.status()
end

function command.main(words, set)
  local word = words[1]
  if not word then return go_on(words, set) end
  if word == "check" then return check(words, set) end
  if word == "watch" then return watch(words, set) end
  if verbs[word] and #words == 1 then
    lesson[word]()
    words.status = verdict.status()
    return
  end
  if word:sub(1, 1) == "-" then
    fail("unknown option %s; mettle %s --help says more", word, set)
  end
  open(words, 1, set)
  words.wants = "console"
end

return command
