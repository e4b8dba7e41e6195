-- lint.lua - `mettle lesson check DIR…`: is a lesson whole and true?
--
--   lint.check(folder)   a list of problems, one line each, and a list of notes
--   lint.inside(words)   the same in a process that is for this lesson alone,
--                        which repl/commands/lesson.c starts: confined, then
--                        printed
--
-- The parts: text (its words), data (lesson.lua), blocks (the
-- code in its text), answers (the start, the solution, right and wrong
-- ones).
--
-- The lesson's own code sees what lua/session/sandbox.lua gives it.
--
-- Everything a lesson claims is tried: its start fails for the reason it names,
-- its solution passes on every device here and so do its other right answers,
-- its wrong answers fail as named (one at least by each thing that it asks
-- for), every block of code runs and shows what the text says
-- (lua/lint/expect.lua), every link leads somewhere. What cannot be
-- tried in this build (no checker, no profile) is a note, not a problem.
--
-- METTLE_LINT=lesson leaves out the challenges, METTLE_LINT=text all answers.
-- METTLE_LINT=device tries only what another device could change: not what the
-- checker and the profiler find, which work on the host device always.
local answers = require "lua.lint.answers"
local blocks = require "lua.lint.blocks"
local check_text = require "lua.lint.text"
local course = require "lua.lesson.course"
local data = require "lua.lint.data"
local sandbox = require "lua.session.sandbox"
local system = require "mettle.system"
local task = require "lua.judge.task"
local timing = require "lua.workload.timing"

local lint = {}

local QUICK = 0.03   -- seconds for each measurement in a block of Lua

-- The files' names in a message: of a puzzle lesson.md is called puzzle.md, and
-- the answers of a capstone's task lie in its folder.
local function name_files(l, say)
  return function(line)
    say((line:gsub("^lesson%.(%a+)", l.set.word .. ".%1")))
  end
end
local function name_task(t, say)
  if t == t.lesson then return say end
  return function(line)
    say((line:gsub("^lesson%.lua: ", "%0" .. t.name .. ": "):gsub(
      "^([%w/-]+%.%a+) ", function(file)
        return ("%s/%s "):format(t.name, file)
      end)))
  end
end

local function is_whole(d)
  return d.exercise or (type(d.cases) == "table" and d.arguments
    and d.reference and d.outputs and (d.launch or d.steps))
end

local function check_tasks(l, left, add, note)
  local part = os.getenv "METTLE_LINT"
  for _, t in ipairs(l.tasks) do
    local say = name_task(t, add)
    if type(t.data.wrong) == "table" then
      data.check_wrong_names(t, say)
      if is_whole(t.data) and part ~= "text" then
        answers.check(t, left, say, note)
      end
    end
  end
  if part then return end
  for _, t in ipairs(task.challenges(l)) do
    answers.check_challenge(t, add, note)
  end
end

function lint.check(folder)
  local problems, notes, noted = {}, {}, {}
  local function add(line) problems[#problems + 1] = line end
  local function note(line)
    if not noted[line] then notes[#notes + 1] = line end
    noted[line] = true
  end
  local env = sandbox.env()
  local ok, l = blocks.quietly(course.load, folder, env)
  if not ok then return { blocks.first_line(l) }, notes end
  env.answer = function(name) return (task.answer(l, name)) end
  add = name_files(l, add)
  local quick = timing.quick
  timing.quick = QUICK
  local used = gpu.device.name
  ok, l = pcall(function()
    check_text(l, add, note)
    data.check(l, add, name_task)
    local left = blocks.check(l, add, note)
    if not answers.device_alone() then
      blocks.check_elsewhere(l, used, add, note)
    end
    check_tasks(l, left, add, note)
  end)
  gpu.use(used)
  timing.quick = quick
  if not ok then
    if tostring(l):find "interrupted" then error(l, 0) end
    add(blocks.first_line(l))
  end
  return problems, notes
end

-- words: the lesson's folder, a folder to run in, and what to call the lesson.
-- The word that is read first is said last: a lesson that ends the process
-- cannot.
function lint.inside(words)
  local word, start = io.read "a", system.now()
  local folder, work, name = words[1], words[2], words[3]
  system.folder(work)
  sandbox.confine(folder, work, "a lesson")
  local problems, notes = lint.check(folder)
  for _, line in ipairs(problems) do print(("%s: %s"):format(name, line)) end
  for _, line in ipairs(notes) do print(("%s: note: %s"):format(name, line)) end
  if #problems == 0 then
    print(("%s: good (%.1f s)"):format(name, system.now() - start))
  end
  io.stdout:write(word, " ", #problems, "\n")
end

return lint
