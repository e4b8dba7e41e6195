-- lesson.lua - the course at the prompt: lessons(), lesson(3), next(), check()
-- …; puzzle(3) and capstone(1) open lessons of other sets.
--
-- One lesson is open at a time, at one of its steps; both are kept between
-- sessions. The parts, in lua/lesson: course (which lessons there are), task
-- (what is asked in them), text (reading and showing), step (a step on the
-- screen), file (the learner's file), judge (is it right?), progress (what was
-- passed).
local challenge = require "lua.lesson.challenge"
local course = require "lua.lesson.course"
local file = require "lua.session.user_file"
local list = require "lua.lesson.list"
local progress = require "lua.lesson.progress"
local restore_before = require "lua.lesson.restore"
local show = require "lua.session.show"
local steps = require "lua.lesson.step"
local style = require "lua.text.style"
local system = require "mettle.system"
local tasks = require "lua.judge.task"
local text = require "lua.text.markdown"
local units = require "lua.text.units"
local verdict = require "lua.session.verdict"

local lesson = {}

local open        -- the lesson, or nil
local at          -- its step, from 1
local insisted    -- solution() was called once for it
local seen        -- a step was shown in this session
local chosen      -- the challenge of the lesson that is being worked on, or nil

local width, say, paragraph = list.width, list.say, list.paragraph

-- "lesson 5", "Lesson 5"
local called, Called = list.called, steps.called

local function sentence(words)
  return (words:gsub("^%l", string.upper))
    .. (words:find "[?.]$" and "" or ".")
end

------------------------------------------------------------------ where we are

local function take(l, step)
  open, insisted, chosen = l, false, nil
  at = math.max(1, math.min(tonumber(step) or 1, #l.steps))
end

-- The lesson of this key in the progress, if there is one, opened.
local function resume(key)
  local ok, l = pcall(course.of_key, key or "")
  if not (key and ok and l) then return nil end
  take(l, progress.get("step", l.key))
  return open
end

-- The open lesson; that of the last session if none is; else nil.
local function current() return open or resume(progress.get "at") end

-- Said where there is nothing to work on: false and the sentence.
local function refuse(words)
  paragraph(words)
  return verdict.unclear(words)
end

-- Said where a lesson is needed and none is open.
local function need()
  local l = current()
  if l then return l end
  return refuse
    "No lesson is open: lesson(1) begins the course, lessons() lists it."
end

local function go_to(l, step)
  open, at, chosen = l, step, nil
  progress.set("at", l.key)
  progress.set("open", l.set.word, l.key)
  progress.set("step", l.key, step)
end

-- The task of a step: that of the next "Your turn", its own included.
local function task_at(l, step)
  local n = 1
  for i = 1, step - 1 do if steps.is_turn(l.steps[i]) then n = n + 1 end end
  return l.tasks[math.min(n, #l.tasks)]
end

local function task_now() return chosen or task_at(open, at) end

local has_passed = list.has_passed

-- The learner's own source of a task that has passed; nil if there is none.
local function own_answer(t)
  if not has_passed(t) then return nil end
  local ok, source = pcall(file.read, file.name(t))
  return ok and source or nil
end

-- answer "forward": what a task of this capstone was solved with.
function lesson.answer(name)
  if not current() then
    error("no capstone is open: capstone() lists them", 0)
  end
  return (tasks.answer(open, name, own_answer))
end

local function restore()
  if not restore_before(open, at) then return end
  say(style.dim(units.wrap(
    "The code of the steps before was run again, so its variables are here.",
    width(), "", "")))
end

---------------------------------------------------------------------- showing

-- What is wanted, on a tiny case; beside it what the kernel gives there.
local function picture_of(t, kernel)
  return require "lua.judge.picture".lines(t, kernel)
end

local function show_step()
  local one, task = open.steps[at], task_now()
  local turn = steps.is_turn(one)
  seen = true
  say("\n", steps.shown(open, at, { task = task,
    picture = turn and task.data.picture and picture_of(task),
    made = turn and file.make(task) }))
end

------------------------------------------------------------------- the course

-- "11 coalescing 4/6 ✓10" for the prompt, once a step was shown; "puzzle 3
-- guard ✓2" where there are no steps to count.
function lesson.prompt()
  if not (open and seen) then return nil end
  local word = open.set.word
  return ("%s%d %s%s ✓%d"):format(word == "lesson" and "" or word .. " ",
    open.number or 0, open.short,
    chosen and (" challenge %d"):format(chosen.number)
      or #open.steps > 1 and (" %d/%d"):format(at, #open.steps) or "",
    list.count_passed(word))
end

function lesson.lessons() list.show(course.sets.lesson, current()) end

-- mettle lesson list, mettle puzzle list …
function lesson.main(_, word) list.show(course.sets[word], current()) end

-- A step of a lesson, by its number; nil and a sentence if there is none.
local function step_of(l, step)
  local n = math.tointeger(tonumber(step))
  if n and l.steps[n] then return n end
  return nil, ("%s has the steps 1 to %d."):format(Called(l), #l.steps)
end

-- Where to open a lesson: where the learner left it, at its beginning once it
-- is passed.
local function left_at(l)
  if has_passed(l) then return 1 end
  return step_of(l, progress.get("step", l.key)) or 1
end

-- Opens a lesson of this set, at a step if one is given.
local function open_one(word, what, step)
  local l, why = course.find(what, word)
  if not l then return refuse(sentence(why)) end
  course.forget(l) -- its author may be at work on it
  l = course.get(l.name, word)
  local to = left_at(l)
  if step ~= nil then
    to, why = step_of(l, step)
    if not to then return refuse(why) end
  end
  insisted = false
  go_to(l, to)
  show_step()
  restore()
  if to > 1 and step == nil then
    say(style.dim(units.wrap(
      ("You were here; %s(%d, 1) begins again."):format(word, l.number),
      width(), "", "")))
  end
end

-- lesson(), lesson(3), lesson(3, 2), lesson "grid"
function lesson.lesson(...)
  if select("#", ...) > 0 then return open_one("lesson", ...) end
  local l = current()
  if not l or l.set.word ~= "lesson" then
    l = resume(progress.get("open", "lesson"))
  end
  if not l then return lesson.lesson(1) end
  go_to(l, at)
  show_step()
  restore()
end

-- puzzle() lists, puzzle(3) and puzzle "map" open
function lesson.puzzle(...)
  if select("#", ...) == 0 then
    return list.show(course.sets.puzzle, current())
  end
  return open_one("puzzle", ...)
end

function lesson.capstone(...)
  if select("#", ...) == 0 then
    return list.show(course.sets.capstone, current())
  end
  return open_one("capstone", ...)
end

-- challenge() lists those of the lesson, challenge(2) opens one
function lesson.challenge(n)
  if not need() then return end
  local all = tasks.challenges(open)
  if n == nil or #all == 0 then return challenge.list(open, all) end
  local t = all[math.tointeger(tonumber(n)) or 0]
  if not t then
    return refuse(("%s has the challenges 1 to %d."):format(Called(open), #all))
  end
  insisted, chosen, seen = false, t, true
  say("\n", steps.ruler(open, (" · challenge %d of %d · %s"):format(t.number,
    #all, t.title)))
  challenge.show(t)
  if file.make(t) then say("\n" .. steps.made(t)) end
  say("\n" .. steps.footer { ("edit() opens %s"):format(file.name(t)),
    "check() checks", "hint() helps", "task() returns to the lesson" })
end

-- The step with the task: of several the one at or after this step.
function lesson.task()
  if not need() then return end
  local wanted = task_at(open, at)
  for i, step in ipairs(open.steps) do
    if steps.is_turn(step) and task_at(open, i) == wanted then
      go_to(open, i)
      show_step()
      return restore()
    end
  end
  paragraph(("This %s has no task."):format(open.set.word))
end

function lesson.next()
  if not current() then return lesson.lesson(1) end
  if not seen then -- a new session: where were we?
    show_step()
    return restore()
  end
  if at < #open.steps then
    go_to(open, at + 1)
    return show_step()
  end
  local after = course.after(open)
  if not after then
    return paragraph(("That was the last %s. "
      .. "%s lists what you have passed."):format(
      open.set.word, open.set.list))
  end
  if not has_passed(open) then
    paragraph(("%s is not passed yet: %s(%d) returns to it."):format(
      Called(open), open.set.word, open.number))
  end
  insisted = false
  go_to(after, 1)
  show_step()
end

function lesson.back()
  if not need() then return end
  if at == 1 then
    paragraph(("This is the first step of %s; %s(n) opens another."):format(
      called(open), open.set.word))
  else go_to(open, at - 1) end
  show_step()
end

-- A line of a compiler's output: sentences are wrapped, code is not.
local function compiler_line(line)
  local prose = line:find "^help: " or line:find ": %l+: "
  return prose and style.fold(line) or line
end

-- An error that a step means to show.
local function show_error(why)
  local first, rest = tostring(why):gsub("^lesson:%d+: ", ""):match
    "^([^\n]*)\n?(.*)$"
  say(style.fold(first))
  for line in rest:gmatch "[^\n]+" do say(compiler_line(line)) end
end

-- The step's Lua, as if it was typed.
function lesson.run()
  if not need() then return end
  local blocks = text.code(open.steps[at], "lua")
  if #blocks == 0 then
    return paragraph "There is no Lua in this step to run; next() goes on."
  end
  restore()
  local console = package.loaded["mettle.console"]
  for _, block in ipairs(blocks) do
    for _, chunk in ipairs(text.chunks(block.text)) do
      say(style.dim("> " .. chunk:gsub("\n", "\n  ")))
      if console then console.remember(chunk) end
      local env = open.env or _G
      local ok, values = pcall(text.run, chunk, env)
      if not ok and not block.fails then error(values, 0) end
      if not ok then show_error(values)
      elseif values.n > 0 then
        env._ = values[1]
        show.print(style.dim, table.unpack(values, 1, values.n))
      end
    end
  end
end

function lesson.hint()
  if not need() then return end
  local t = task_now()
  local hints = t.data.hints or {}
  local given = math.min((tonumber(progress.get("hints", t.key)) or 0) + 1,
    #hints)
  if #hints == 0 then return paragraph "This task has no hints." end
  progress.set("hints", t.key, given)
  steps.hint(hints[given], given, #hints)
end

------------------------------------------------------------------- checking

-- "Lesson 6 Guards and ragged edges is passed. next() goes on …"
local function praise(t)
  local l = t.lesson
  if t.challenge then
    return ("✓ Challenge %d, %s, is passed. "
      .. "challenge() lists the others."):format(
      t.number, t.title)
  end
  if t == l then
    return ("✓ %s %s is passed. next() goes on, solution() shows ours."):format(
      Called(l), l.title)
  end
  local left = 0
  for _, other in ipairs(l.tasks) do
    if not has_passed(other) then left = left + 1 end
  end
  if left == 0 then
    return ("✓ %s is passed, and so is %s %s. next() goes on, "
      .. "solution() shows ours."):format(
      t.title, called(l), l.title)
  end
  return ("✓ %s is passed. %d of %d tasks to go: next() goes on, "
    .. "solution() shows ours."):format(
    t.title, left, #l.tasks)
end

local function print_verdict(t, v)
  for i, line in ipairs(v.lines) do
    if i == 1 then line = (v.ok and style.good or style.bad)(
      units.wrap(line, width(), "", ""))
    else
      line = (v.kinds.compile and compiler_line or style.fold)(line)
    end
    say(line)
  end
  local picture = v.kinds.wrong and t.data.picture and picture_of(t, v.kernel)
  if picture then say("\n", table.concat(picture, "\n")) end
  for _, why in ipairs(v.skipped) do
    say(style.dim(style.fold("Not judged here: " .. why .. ".")))
  end
  if v.ok then
    say((style.fold(praise(t)):gsub("^.-passed%.", style.good)))
  else
    say(style.dim(#(t.data.hints or {}) > 0 and "hint() helps."
      or "solution() shows ours."))
  end
end

local function file_of(t, name)
  return file.read(name), nil, name,
    t.extension == "metal" and name:find "%.metal$" and name or nil
end

-- What is to be judged: source, its name and its file if it is one; or a
-- kernel. 'path': another file than the learner's in this folder.
local function answer_of(t, given, path)
  if path then return file_of(t, path) end
  if type(given) == "string" then return given, nil, "program_source" end
  if given ~= nil then return nil, given, given.name end
  local name = file.name(t)
  if file.make(t) then
    paragraph(("%s is now in this folder: edit() opens it, "
      .. "and check() checks it as it is."):format(name))
  end
  return file_of(t, name)
end

local function keep_passed(t)
  if not has_passed(t) then
    progress.set("passed", t.key, os.date "!%Y-%m-%d")
  end
  for _, other in ipairs(t.lesson.tasks) do
    if not has_passed(other) then return end
  end
  if not has_passed(t.lesson) then
    progress.set("passed", t.lesson.key, os.date "!%Y-%m-%d")
  end
end

local function judge_now(t, given, other)
  local judge = require "lua.judge.judge"
  local source, kernel, name, path = answer_of(t, given, other)
  local line = require "lua.session.progress".new("check", #(t.data.cases
    or {}) + 2)
  local ok, v = pcall(judge.judge, t, source,
    { name = name, path = path, kernel = kernel, progress = line,
      own = own_answer })
  line:done()
  if not ok then error(v, 0) end
  if v.score then challenge.keep_best(t, v) end
  if v.ok then keep_passed(t) end
  print_verdict(t, v)
  lesson.last = v
  return verdict.shown(v.ok, table.concat(v.lines, "\n"), t.key)
end

-- What the last check() found beyond the first finding.
local function show_more()
  local more = lesson.last and lesson.last.more or {}
  if #more == 0 then
    return paragraph "The last check() had nothing more to say."
  end
  for i, finding in ipairs(more) do
    say(i > 1 and "\n" or "", style.fold(finding))
  end
end

-- check(): the learner's file. check[[ source ]] and check(kernel): that one.
-- check "more": the rest of what the last one found. Returns true or false, and
-- what was said.
function lesson.check(given)
  local l, why = need()
  if not l then return l, why end
  local t = task_now()
  if given == "more" then return show_more() end
  local kind = type(given)
  if given ~= nil and kind ~= "string"
    and not (kind == "userdata" and require "lua.workload.workload".is_kernel(
      given)) then
    error(
      ("check() checks your file of the lesson, check(k) a kernel, "
        .. "check[=[ … ]=] a source; it was given a %s"):format(kind), 0)
  end
  if kind == "userdata" and (t.data.exercise or t.data.kernels) then
    error("this task's answer is a file, not a kernel: check() checks it", 0)
  end
  return judge_now(t, given)
end

-- The same for the global check, which was given no launch: where no task was
-- judged, how a kernel is checked.
function lesson.check_or_help(...)
  local right, why = lesson.check(...)
  if right == false and lesson.last == nil then
    print(style.fold("A kernel is checked with check{k, a, b, grid = 1000}; "
      .. 'help "check" says more.'))
  end
  return right, why
end

-- "guards", "puzzle map", "capstone network forward": the lesson, and its task.
function lesson.named(words)
  local word, rest = words:match "^(%a+)%s+(.+)$"
  if not course.sets[word] then word, rest = "lesson", words end
  local l, why = course.find(math.tointeger(tonumber(rest)) or rest, word)
  if l then return l, l.tasks[1] end
  local name, task_name = rest:match "^(.-)%s+(%S+)$"
  l = name and course.find(name, word)
  local t = l and tasks.find(l, task_name)
  if not t then error(why, 0) end
  return l, t
end

-- The lesson of a task is open from now on, at the step that asks for it.
local function open_at(l, t)
  local step = #l.steps
  for i, each in ipairs(l.steps) do
    if steps.is_turn(each) and task_at(l, i) == t then step = i end
  end
  insisted = false
  go_to(l, step)
end

-- An answer to a task whose lesson need not be open: it is from now on.
function lesson.judge(words, source)
  local l, t = lesson.named(words)
  open_at(l, t)
  return judge_now(t, source)
end

-- The same of a file, wherever it is.
function lesson.judge_file(t, path)
  if not file.read(path) then error(("no file %s"):format(path), 0) end
  open_at(t.lesson, t)
  if t.challenge then chosen = t end
  return judge_now(t, nil, path)
end

function lesson.solution(insist)
  if not need() then return end
  local t = task_now()
  if not (has_passed(t) or insisted == t or insist) then
    insisted = t
    local left = #(t.data.hints or {}) - (
      tonumber(progress.get("hints", t.key)) or 0)
    return paragraph(
      ("You have not passed this %s yet%s. If you want to see it all the same: "
        .. "solution() once more.")
      :format(t == open and open.set.word
          or t.challenge and "challenge" or "task",
        left > 0 and (", and hint() has %d more to say"):format(left) or ""))
  end
  say(style.dim(("solution.%s of %s:"):format(t.extension,
    t == open and called(open) .. " " .. t.title or t.title)))
  for line in (t.solution:gsub("\n*$", "\n")):gmatch "([^\n]*)\n" do
    say(style.code("    " .. line))
  end
end

function lesson.reset()
  if not need() then return end
  local old = file.reset(task_now())
  paragraph(("%s is as it was at the start%s."):format(file.name(task_now()),
    old and "; yours is kept as " .. old or ""))
end

-- Before an editor takes the screen for the first time: how to leave it.
local function tell_way_out()
  local editor, how = file.way_out()
  local key = editor and editor:gsub("%W", "-")
  if not editor or progress.get("told", key) then return end
  if not (system.terminal(0) and system.terminal(1)) then return end
  progress.set("told", key, "leave")
  paragraph(("%s opens now. To leave it: %s."):format(editor, how))
  io.stdout:write(style.dim "Enter opens it: ")
  io.stdout:flush()
  io.stdin:read "l"
end

function lesson.edit()
  if not need() then return end
  local name = file.name(task_now())
  file.make(task_now())
  tell_way_out()
  local ok, why = file.edit(name)
  paragraph(ok and ("check() checks %s; "
    .. "watch() does so whenever you save it."):format(name)
    or sentence(why))
end

-- The step after the task, once that is passed.
local function after_task()
  local i = at
  while i < #open.steps and not steps.is_turn(open.steps[i]) do i = i + 1 end
  if not lesson.last.ok or chosen or i == #open.steps then return end
  go_to(open, i + 1)
  show_step()
end

function lesson.watch()
  if not need() then return end
  seen = true
  require "lua.lesson.watch" { lesson = lesson, task = task_now,
    judge = function() judge_now(task_now()) end, go_on = after_task }
end

return lesson
