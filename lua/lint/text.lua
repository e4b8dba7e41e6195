-- text.lua - the linter's look at a lesson's words: does each step
-- fit on a screen, does it say what a lesson must say, does every link lead
-- somewhere?
--
--   check(lesson, add, note)   'add' takes a problem, 'note' what this build
--                              cannot try
local course = require "lua.lesson.course"
local help = require "lua.reference.help"
local on_screen = require "lua.lesson.step"
local picture = require "lua.judge.picture"
local tasks = require "lua.judge.task"
local text = require "lua.text.markdown"
local units = require "lua.text.units"
local prose_lint = require "lua.lint.prose_lint"

local LINES = 24     -- of a terminal
local COLUMNS = 74   -- of a line of code, which stands four columns in

-- Does the title of each challenge fit into its line?
local function check_challenges(l, add)
  local all = tasks.challenges(l)
  for i, t in ipairs(all) do
    local words = (" · challenge %d of %d · %s"):format(i, #all, t.title)
    if on_screen.ruler(l, words):find "…" then
      add(("lesson.lua: the title '%s' is too long for a line"):format(t.title))
    end
  end
end

-- A task's picture, if it can be drawn; data.lua says if not.
local function picture_of(task)
  if type(task.data.picture) ~= "table" then return nil end
  local ok, lines = pcall(picture.lines, task)
  return ok and lines or nil
end

-- Does the step fit on a screen of 80 columns, with its title above, what can
-- be typed next below, and the prompt?
local function check_screen(l, n, task, add)
  local step = l.steps[n]
  local turn = on_screen.is_turn(step)
  local shown = on_screen.shown(l, n, { task = task, made = turn,
    picture = turn and picture_of(task) })
  local _, lines = shown:gsub("\n", "")
  lines = lines + 2 -- the last one, and the prompt
  if lines > LINES then
    add(("lesson.md:%d: the step '%s' takes %d lines of a "
      .. "screen, which has %d"):format(
      step.line, step.title, lines, LINES))
  end
  if shown:match "^[^\n]*":find "…" then
    add(("lesson.md:%d: the title '%s' is too long for a line"):format(
      step.line, step.title))
  end
end

local function check_step(step, add)
  for _, block in ipairs(step.blocks) do
    if block.kind == "code" then
      for i, line in ipairs(block.lines) do
        if units.width(line) > COLUMNS then
          add(("lesson.md:%d: a line of code has more than %d columns"):format(
            block.line + i, COLUMNS))
        end
      end
      if not ({ lua = 1, metal = 1, text = 1, python = 1, cuda = 1, cpp = 1,
        swift = 1, sh = 1 })[block.language] then
        add(("lesson.md:%d: a code block must say lua, metal or text"):format(
          block.line))
      end
    end
  end
end

-- Lessons are named by their words: a number is another lesson's as soon as one
-- is put in between.
local function check_numbers(text, where, add)
  local number, fenced = 0, false
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    number = number + 1
    if line:find "^%s*```" then fenced = not fenced end
    local found = not fenced and line:match "%f[%a][Ll]essons?%s+%d+"
    if found then
      add(("%s: '%s' may be another one soon: "
        .. "[The grid](lesson:grid) names it"):format(where(number), found))
    end
  end
end

-- Words that read as translated, in the text and in what the data says.
local function check_words(l, add)
  local function look(text, where)
    check_numbers(text, where, add)
    for _, f in ipairs(prose_lint.faults(text)) do
      add(("%s: '%s' reads as translated: %s"):format(where(f.line), f.word,
        f.instead))
    end
  end
  look(l.text, function(n) return ("lesson.md:%d"):format(n) end)
  local function look_at(v)
    if type(v) == "string" then
      look(v, function() return "lesson.lua" end)
    elseif type(v) == "table" then
      for _, inner in pairs(v) do look_at(inner) end
    end
  end
  look_at(l.data.title)
  for _, t in ipairs(l.tasks) do
    local d = t.data
    for _, part in ipairs { d.title or "", d.task or "", d.hints or {},
      d.rules or {}, d.targets or {}, d.challenges or {} } do look_at(part) end
  end
end

-- One "Your turn" for each task; of a capstone each names its task.
local function check_turns(l, add)
  local turns = {}
  for _, step in ipairs(l.steps) do
    if step.title:find "^Your turn" then turns[#turns + 1] = step.title end
  end
  if l.set.word ~= "capstone" then
    if #turns ~= 1 or turns[1] ~= "Your turn" then
      add(("lesson.md: exactly one step is called 'Your turn', not %d"):format(
        #turns))
    end
    return
  end
  for i = 1, math.max(#turns, #l.tasks) do
    local wanted = l.tasks[i] and "Your turn: " .. l.tasks[i].title
    if turns[i] ~= wanted then
      add(("lesson.md: the step of task %d is called '%s', not '%s'"):format(i,
        wanted or "(there is no such task)", turns[i] or "(there is none)"))
    end
  end
end

local function check_text(l, add)
  for _, p in ipairs(l.problems) do
    add(("lesson.md:%d: %s"):format(p.line, p.text))
  end
  local experiments = 0
  local turns = 0
  for n, step in ipairs(l.steps) do
    if l.tasks[turns + 1] then check_screen(l, n, l.tasks[turns + 1], add) end
    if on_screen.is_turn(step) then
      turns = math.min(turns + 1, #l.tasks - 1)
    end
    check_step(step, add)
    experiments = experiments + #text.code(step, "lua")
  end
  check_turns(l, add)
  check_challenges(l, add)
  if l.set.word == "puzzle" then return end -- a statement, and nothing else
  local last = l.steps[#l.steps]
  if not last or last.title ~= "What you saw" then
    add "lesson.md: the last step is called 'What you saw'"
  end
  if experiments == 0 then
    add "lesson.md: there is no experiment: a block of Lua to run"
  end
end

-- Is there such a glossary page? nil: this build has no glossary.
local function in_glossary(name)
  local there, glossary = pcall(require, "lua.reference.glossary")
  if not there then return nil end
  local found = glossary.find and glossary.find(name) or glossary.topic
    and glossary.topic(name)
  return found and true or false
end

local function link_leads(l, link, note)
  if link.to == "help" then return help.topic(link.name) ~= nil end
  if link.to == "lesson" then return course.find(link.name) ~= nil end
  if link.to ~= "glossary" then return false end
  local found = in_glossary(link.name)
  if found == nil then
    note "the links to the glossary were not tried: it is not in this build"
  end
  return found ~= false
end

local function check_links(l, add, note)
  for _, step in ipairs(l.steps) do
    for _, link in ipairs(step.links) do
      if not link_leads(l, link, note) then
        add(("lesson.md:%d: the link %s:%s leads nowhere"):format(link.line,
          link.to, link.name))
      end
    end
  end
end

return function(l, add, note)
  check_text(l, add)
  check_words(l, add)
  check_links(l, add, note)
end
