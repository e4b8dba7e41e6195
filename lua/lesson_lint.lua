-- lesson_lint.lua - `mettle lesson check DIR…`: is a lesson whole and true?
--
--   lint.check(folder)   a list of problems, one line each, and a list of notes
--   lint.inside(words)   the same in a process that is for this lesson alone,
--                        which repl/command_lesson.c starts: confined, then
--                        printed
--
-- The lesson's own code sees what lua/sandbox.lua gives it.
--
-- Everything a lesson claims is tried: its start fails for the reason it names,
-- its solution passes on every device here and so do its other right answers,
-- its wrong answers fail as named (one at least by each thing that it asks
-- for), every block of code runs and shows what the text says
-- (lua/lesson_expect.lua), every link leads somewhere. What cannot be
-- tried in this build (no checker, no profile) is a note, not a problem.
--
-- METTLE_LINT=device tries only what another device could change: not what the
-- checker and the profiler find, which work on the host device always.
local course = require "lua.lesson_course"
local expect = require "lua.lesson_expect"
local heard = require "lua.heard"
local help = require "lua.help"
local judge = require "lua.lesson_judge"
local problem = require "lua.problem"
local sandbox = require "lua.sandbox"
local show = require "lua.show"
local system = require "mettle.system"
local task = require "lua.lesson_task"
local text = require "lua.lesson_text"
local timing = require "lua.timing"
local wording = require "lua.wording"

local lint = {}

local LINES = 24     -- of a step on a terminal
local COLUMNS = 76   -- of a line of code
local SECONDS = 4    -- for one block of Lua; two on a quiet machine
local QUICK = 0.03   -- seconds for each measurement in one
local WATCHES = 2    -- cases of another right answer that the checker watches

local kinds, of_checker = {}, {}
for word in ("compile error wrong rule target score"):gmatch "%S+" do
  kinds[word] = true
end
for _, kind in ipairs(require("mettle.check").kinds) do
  kinds[kind.name], of_checker[kind.name] = true, true
end

local function list_of(v) return type(v) == "table" and v or { v } end

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

-- First line of a message, without our own places.
local function first_line(why)
  return (problem.plain(tostring(why)):match "[^\n]*")
end

---------------------------------------------------------------------- the text

local function check_step(l, step, add)
  local shown = text.show(step, COLUMNS)
  local _, lines = shown:gsub("\n", "")
  lines = lines + 1
  if lines > LINES then
    add(("lesson.md:%d: the step '%s' has %d lines; %d fit on a screen"):format(
      step.line, step.title, lines, LINES))
  end
  for _, block in ipairs(step.blocks) do
    if block.kind == "code" then
      for i, line in ipairs(block.lines) do
        if (utf8.len(line) or #line) > COLUMNS then
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
      add(("%s: '%s' may be another one soon: [The grid](lesson:grid) names it"):format(where(number), found))
    end
  end
end

-- Words that read as translated, in the text and in what the data says.
local function check_words(l, add)
  local function look(text, where)
    check_numbers(text, where, add)
    for _, f in ipairs(wording.faults(text)) do
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
  for _, step in ipairs(l.steps) do
    check_step(l, step, add)
    experiments = experiments + #text.code(step, "lua")
  end
  check_turns(l, add)
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
  local there, glossary = pcall(require, "lua.glossary")
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

---------------------------------------------------------------------- the data

local function need(data, add, name, kind)
  if type(data[name]) ~= kind then
    add(("lesson.lua: %s must be a %s"):format(name, kind))
  end
end

local function check_expected(where, expected, add)
  for _, kind in ipairs(list_of(expected)) do
    if not kinds[kind] then
      add(("lesson.lua: %s names no way to fail: '%s'"):format(where,
        tostring(kind)))
    end
  end
end

local function files_of(l, folder)
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
    for _, kind in ipairs(list_of(expected)) do proved[kind] = true end
  end
  for _, kind in ipairs(list_of(d.start_fails)) do proved[kind] = true end
  for word, of in pairs { rule = "lua.lesson_rule",
    target = "lua.lesson_target" } do
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
    local why = require "lua.lesson_picture".mistake(t)
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

local function check_data(l, add)
  local d = l.data
  for name, kind in pairs { title = "string", part = "number",
    minutes = "number" } do need(d, add, name, kind) end
  if d.title ~= l.title then
    add "lesson.lua: the title is not that of lesson.md"
  end
  if l.set.word == "capstone" and #l.tasks < 2 then
    add "lesson.lua: a capstone has several tasks"
  end
  for _, t in ipairs(l.tasks) do check_task(t, name_task(t, add)) end
end

local function check_wrong_names(l, add)
  local there = {}
  for _, name in ipairs(files_of(l, "wrong")) do
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

------------------------------------------------------------------ quiet running

local function quietly(f, ...) return select(2, heard.run(f, ...)) end

local function run_block(block, env)
  for _, chunk in ipairs(text.chunks(block.text)) do
    local values = text.run(chunk, env)
    env._ = values[1]
    if values.n > 0 then
      show.print(function(note) return note end,
        table.unpack(values, 1, values.n))
    end
  end
end

-- A part of Mettle that this build does not have yet.
local function lacks(why)
  local name =
    tostring(why):match "attempt to call a nil value %(global '(%a+)'%)"
  return name and ({ check = 1, profile = 1, glossary = 1, cuda = 1 })[name]
    and name
end

-- Does the screen say what the text says? What prints must state what it shows.
local function check_shown(block, env, screen, add)
  if not block.expect and screen:find "%S" then
    add(("lesson.md:%d: this code shows something, and no expect says what")
      :format(block.line))
  end
  for _, f in ipairs(expect.failures(block, env, screen)) do
    add(("lesson.md:%d: %s"):format(f.line, f.text))
  end
end

local function check_lua(block, env, add, note)
  local start, worked = system.now(), os.clock()
  local screen, ok, why = heard.run(run_block, block, env)
  -- a busy machine is not the lesson's fault: both clocks must say it
  local seconds = math.min(system.now() - start, os.clock() - worked)
  if not ok and tostring(why):find "interrupted" then error(why, 0) end
  if not ok and not block.fails and lacks(why) then
    return note(
      ("lesson.md:%d: this code was not tried to its end: %s{} is not in this build"):format(block.line, lacks(why)))
  end
  if not ok and not block.fails then
    add(("lesson.md:%d: this code fails: %s"):format(block.line,
      first_line(why)))
  end
  if ok and block.fails then
    add(("lesson.md:%d: this code should fail, but does not"):format(
      block.line))
  end
  if not ok then screen = screen .. problem.plain(tostring(why)) end
  if ok or block.fails then check_shown(block, env, screen, add) end
  if seconds > SECONDS then
    add((
      "lesson.md:%d: this code takes %.1f s; two seconds are the most"):format(
        block.line, seconds))
  end
end

local function check_metal(block, add)
  local whole = block.text:find "%f[%w]kernel%s+[%w_]+%s+[%w_]+%s*%("
    and not block.text:find "…"
  if not whole then return end
  local ok, why = quietly(gpu.library, block.text .. "\n")
  if not ok and not block.fails then
    add(("lesson.md:%d: this MSL does not compile: %s"):format(block.line,
      first_line(why)))
  elseif ok and block.fails then
    add(("lesson.md:%d: this MSL should not compile, but does"):format(
      block.line))
  end
end

-- All of a lesson's blocks in order, on the device in use; the globals they
-- leave.
local function check_blocks(l, add, note)
  local env = setmetatable({}, { __index = l.env })
  for _, step in ipairs(l.steps) do
    for _, block in ipairs(step.blocks) do
      if block.kind == "code" and block.language == "lua" then
        check_lua(block, env, add, note)
      elseif block.kind == "code" and block.language == "metal" then
        check_metal(block, add) end
    end
  end
  return env
end

--------------------------------------------------------------------- answers

local function kinds_text(set)
  local list = {}
  for kind in pairs(set) do list[#list + 1] = kind end
  table.sort(list)
  return #list > 0 and table.concat(list, ", ") or "nothing"
end

-- What the first lines of a verdict say.
local function said(v)
  return table.concat(v.lines, " ", 1, math.min(4, #v.lines)):gsub("%s+", " ")
end

local function has_checker() return pcall(require, "lua.check") end
local function has_profile() return pcall(require, "lua.profile") end

-- May this failure be missing because this build cannot see it?
local function unseen(l, expected)
  for _, kind in ipairs(list_of(expected)) do
    if of_checker[kind] and not has_checker() then return true end
    if kind == "target" and not has_profile() then
      for _, t in ipairs(l.data.targets or {}) do
        if t.profile then return true end
      end
    end
  end
  return false
end

local function device_alone() return os.getenv "METTLE_LINT" == "device" end

-- Does every device find out for itself that an answer fails so?
local function device_finds(expected)
  for _, kind in ipairs(list_of(expected)) do
    if not ({ compile = 1, error = 1, wrong = 1 })[kind] then return false end
  end
  return true
end

-- Can only the checker find out that an answer fails so?
local function checker_finds(expected)
  for _, kind in ipairs(list_of(expected)) do
    if of_checker[kind] then return true end
  end
  return false
end

-- 'o': base, unwatched and watches, as the judge takes them.
local function judged(l, source, name, o)
  local ok, v = quietly(judge.judge, l, source,
    { name = name, base = o.base, watches = o.watches,
      unwatched = o.unwatched or device_alone() })
  if ok then return v end
  if tostring(v):find "interrupted" then error(v, 0) end
  return { ok = false, kinds = { raised = true },
    lines = { "the judge fails: " .. first_line(v) }, more = {},
    skipped = {} }
end

local function must_fail(l, source, name, expected, add, note, base)
  if device_alone() and not device_finds(expected) then return end
  local v = judged(l, source, name,
    { base = base, unwatched = not checker_finds(expected) })
  if v.raised then
    add(("%s: 'exercise' itself fails: %s"):format(name, said(v)))
    return
  end
  for _, kind in ipairs(list_of(expected)) do
    if v.kinds[kind] then return end
  end
  if unseen(l, expected) then
    note(
      ("%s: '%s' was not tried: this build lacks check{} or profile{}"):format(
        name, table.concat(list_of(expected), "' or '")))
    return
  end
  add(v.ok and ("%s passes, but should fail (%s)"):format(name,
    table.concat(list_of(expected), " or "))
    or ("%s should fail by %s, but fails by %s: %s"):format(name,
      table.concat(list_of(expected), " or "), kinds_text(v.kinds), said(v)))
end

local function must_pass(l, source, name, devices, add, note, watches)
  for _, device in ipairs(devices) do
    local there = pcall(gpu.use, device.name)
    if there then
      local v = judged(l, source, name, { watches = watches })
      if not v.ok then
        add(("%s does not pass on %s: %s"):format(name, device.name, said(v)))
      end
      for _, why in ipairs(v.skipped) do note(why) end
    end
  end
end

local function check_answers(l, env, add, note)
  local devices = device_alone() and { gpu.device } or gpu.devices()
  must_pass(l, l.solution, "solution." .. l.extension, devices, add, note)
  for _, name in ipairs(files_of(l, "right")) do
    local file = ("right/%s.%s"):format(name, l.extension)
    must_pass(l, course.read(l.folder .. "/" .. file), file, { gpu.device },
      add, note, WATCHES)
  end
  must_fail(l, l.start, "start." .. l.extension, l.data.start_fails, add, note)
  if l.data.exercise then -- what a reader typed on the way must not pass either
    must_fail(l, l.start, "start." .. l.extension
      .. " after the lesson's own code", l.data.start_fails, add, note, env)
  end
  for _, name in ipairs(files_of(l, "wrong")) do
    local expected = l.data.wrong[name]
    local file = ("wrong/%s.%s"):format(name, l.extension)
    if expected then
      must_fail(l, course.read(l.folder .. "/" .. file), file, expected, add,
        note)
    end
  end
end

-- The same blocks where there is another device that works: what the text says
-- must be true there too. 'used' is the one that they have been run on.
local function check_blocks_elsewhere(l, used, add, note)
  if device_alone() then return end
  for _, device in ipairs(gpu.devices()) do
    if device.name ~= used and pcall(gpu.use, device.name) then
      check_blocks(l, function(line)
        add(("%s (on %s)"):format(line, device.name))
      end, note)
    end
  end
  gpu.use(used)
end

------------------------------------------------------------------ challenges

local function check_challenge(t, add, note)
  local d, name = t.data, "challenges/" .. t.name .. ".metal"
  for field, kind in pairs { title = "string", task = "string",
    score = "table" } do need(d, add, field, kind) end
  check_problem(d, add)
  if type(d.score) ~= "table" then return end
  -- a score is a target without a limit
  local why = require "lua.lesson_target".mistake(setmetatable(
    { at_most = 0, say = "" }, { __index = d.score }))
  if why then add(("lesson.lua: %s: %s"):format(t.name, why)) end
  must_pass(t, t.solution, name, { gpu.device }, add, note)
  must_fail(t, t.start, "the start of " .. name, d.start_fails or "score",
    add, note)
end

-- Each is solved by us, and its start, which is often our solution of the
-- lesson, leaves something to do.
local function check_challenges(l, add, note)
  if device_alone() then return end
  for _, t in ipairs(task.challenges(l)) do check_challenge(t, add, note) end
end

---------------------------------------------------------------------- all of it

local function is_whole(d)
  return d.exercise or (type(d.cases) == "table" and d.arguments
    and d.reference and d.outputs and (d.launch or d.steps))
end

function lint.check(folder)
  local problems, notes, noted = {}, {}, {}
  local function add(line) problems[#problems + 1] = line end
  local function note(line)
    if not noted[line] then notes[#notes + 1] = line end
    noted[line] = true
  end
  local env = sandbox.env()
  local ok, l = quietly(course.load, folder, env)
  if not ok then return { first_line(l) }, notes end
  env.answer = function(name) return (task.answer(l, name)) end
  add = name_files(l, add)
  local quick = timing.quick
  timing.quick = QUICK
  local used = gpu.device.name
  ok, l = pcall(function()
    check_text(l, add)
    check_words(l, add)
    check_data(l, add)
    check_links(l, add, note)
    local left = check_blocks(l, add, note)
    check_blocks_elsewhere(l, used, add, note)
    for _, t in ipairs(l.tasks) do
      local say = name_task(t, add)
      if type(t.data.wrong) == "table" then
        check_wrong_names(t, say)
        if is_whole(t.data) then check_answers(t, left, say, note) end
      end
    end
    check_challenges(l, add, note)
  end)
  gpu.use(used)
  timing.quick = quick
  if not ok then
    if tostring(l):find "interrupted" then error(l, 0) end
    add(first_line(l))
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
  -- A GPU's driver has a process of its own, which starts with the device:
  -- before the process is confined, since the driver opens what it likes.
  pcall(function() return gpu.device.name end)
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
