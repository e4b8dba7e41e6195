-- test_answers.lua - of every lesson, puzzle and capstone the solution passes,
-- and the start, with which a learner begins, fails as the lesson says. The
-- other answers, right and wrong, are test_lint.sh's.
--
-- Guards: of every lesson, puzzle and capstone the solution passes, and the
-- start fails as the lesson says
local t = dofile "tests/tap.lua"
t.compiler "answers of the course"
local blocks = require "lua.lint.blocks"
local course = require "lua.lesson.course"
local judge = require "lua.judge.judge"
local sandbox = require "lua.session.sandbox"
local tasks = require "lua.judge.task"
local ways = require "lua.judge.ways"

-- A capstone's exercise asks for the answers of the tasks before.
local function load_lesson(word, name)
  local env = sandbox.env()
  local l = course.load(course.folder(word) .. "/" .. name, env)
  env.answer = function(of) return (tasks.answer(l, of)) end
  return l
end

local function verdict(task, source)
  local ok, v = blocks.quietly(judge.judge, task, source, {})
  return ok and v or error(v, 0)
end

local function said(v) return table.concat(v.lines, "\n") end

local function fails_as_named(v, expected)
  for _, kind in ipairs(ways.list(expected)) do
    if v.kinds[kind] then return true end
  end
end

for _, set in ipairs(course.sets) do
  for _, name in ipairs(course.names(set.word)) do
    t.test(("%s %s"):format(set.word, name), function()
      for _, task in ipairs(load_lesson(set.word, name).tasks) do
        local v = verdict(task, task.solution)
        if not v.ok then t.takes_said(said(v)) end
        t.ok(v.ok, "the solution does not pass: " .. said(v))
        v = verdict(task, task.start)
        t.ok(fails_as_named(v, task.data.start_fails), "the start: " .. said(v))
      end
    end)
  end
end
t.done()
