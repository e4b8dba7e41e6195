-- lesson.lua - the course at the prompt: lessons(), lesson(3), next(), check()
-- …
--
-- One lesson is open at a time, at one of its steps; both are kept between
-- sessions. The parts: lesson_course (which lessons there are), lesson_text
-- (reading and showing), lesson_file (the learner's file), lesson_judge (is it
-- right?), lesson_progress (what was passed).
local course = require "lua.lesson_course"
local file = require "lua.lesson_file"
local help = require "lua.help"
local progress = require "lua.lesson_progress"
local show = require "lua.show"
local style = require "lua.style"
local system = require "mettle.system"
local text = require "lua.lesson_text"
local units = require "lua.units"

local lesson = {}

local open        -- the lesson, or nil
local at          -- its step, from 1
local insisted    -- solution() was called once for it
local seen        -- a step was shown in this session

local function width() return math.max(30, math.min(system.width() - 1, 78)) end

local function say(...)
  io.stdout:write(...)
  io.stdout:write("\n")
end

local function paragraph(words) say(help.wrap(words, width(), "", "")) end

local function title_of(l) return ("%d %s"):format(l.number or 0, l.title) end

------------------------------------------------------------------ where we are

-- The open lesson; that of the last session if none is; else nil.
local function current()
  if open then return open end
  local name = progress.get "at"
  local ok, l = pcall(course.get, name or "")
  if not (name and ok) then return nil end
  open, at, insisted = l, tonumber(progress.get("step", name)) or 1, false
  at = math.max(1, math.min(at, #l.steps))
  return open
end

-- Said where a lesson is needed and none is open.
local function need()
  local l = current()
  if not l then
    paragraph "No lesson is open: lesson(1) begins the course, lessons() lists it."
  end
  return l
end

local function is_turn(step) return step.title == "Your turn" end

local function go_to(l, step)
  open, at = l, step
  progress.set("at", l.name)
  progress.set("step", l.name, step)
end

---------------------------------------------------------------------- showing

-- Over the whole window, so that a long title is not cut where there is room.
local function ruler(words)
  local columns = math.max(30, math.min(system.width() - 1, 120))
  words = units.cut(words, columns - 7)
  local room = width() - (utf8.len(words) or #words) - 4
  return style.bold("── " .. words .. " " .. ("─"):rep(math.max(3, room)))
end

local function footer_of(l, step)
  local parts = {}
  if #text.code(step, "lua") > 0 then
    parts[#parts + 1] = "run() runs the code above"
  end
  if is_turn(step) then
    parts[#parts + 1] = ("edit() opens %s"):format(file.name(l))
    parts[#parts + 1] = "check() checks"
    parts[#parts + 1] = "hint() helps"
  end
  local after = at == #l.steps and course.after(l)
  if at < #l.steps then parts[#parts + 1] = "next() goes on"
  elseif after then parts[#parts + 1] =
    ("next() begins lesson %d, %s"):format(after.number, after.title)
  else parts[#parts + 1] = "this was the last lesson" end
  return table.concat(parts, " · ")
end

local function show_step()
  local l, step = open, open.steps[at]
  seen = true
  say("\n", ruler(("%s · %d of %d · %s"):format(title_of(l), at, #l.steps,
    step.title)))
  say(text.show(step, width()))
  local links = text.look_up(step)
  if #links > 0 then
    say("\n" .. style.dim(help.wrap("More: " .. table.concat(links, ", "),
      width(), "", "      ")))
  end
  if is_turn(step) and file.make(l) then
    say("\n" .. ("%s is now in this folder; it is yours to change."):format(
      file.name(l)))
  end
  say("\n" .. style.dim(help.wrap(footer_of(l, step), width(), "", "")))
end

--------------------------------------------------- what earlier steps defined

-- What a chunk of Lua at the prompt sets: a set of global names, or nil.
local function defines(chunk)
  local names = {}
  local list = chunk:match "^%s*([%a_][%w_,%s]*)=[^=]"
  for name in (list or ""):gmatch "[%a_][%w_]*" do names[name] = true end
  local named = chunk:match "^%s*function%s+([%a_][%w_]*)%s*%("
  if named then names[named] = true end
  return next(names) and names
end

-- Is it only there to be looked at? Then it need not be run again.
local function only_shows(chunk)
  local word = chunk:match "^%s*([%a_][%w_]*)%s*[%({\"%[]?"
  return ({ print = 1, show = 1, plot = 1, sweep = 1, compare = 1, profile = 1,
    check = 1, draw = 1, bench = 1, cards = 1, help = 1, glossary = 1, cuda = 1,
    numpy = 1, step = 1 })[word] and not defines(chunk)
end

-- The chunks of the steps before this one, of blocks that are to succeed.
local function chunks_before(l, step)
  local list = {}
  for i = 1, step - 1 do
    for _, block in ipairs(text.code(l.steps[i], "lua")) do
      local chunks = not block.fails and text.chunks(block.text) or {}
      table.move(chunks, 1, #chunks, #list + 1, list)
    end
  end
  return list
end

local function is_missing(chunks)
  for _, chunk in ipairs(chunks) do
    for name in pairs(defines(chunk) or {}) do
      if rawget(_G, name) == nil then return true end
    end
  end
  return false
end

-- Runs f with what it prints thrown away.
local function silently(f, ...)
  local real_print, real_out, real_write = print, io.stdout, io.write
  local nowhere = setmetatable({}, { __index = function(self)
    return function() return self end
  end })
  print, io.stdout, io.write = function() end, nowhere, function() end
  local ok, why = pcall(f, ...)
  print, io.stdout, io.write = real_print, real_out, real_write
  if not ok and tostring(why):find "interrupted" then error(why, 0) end
  return ok
end

-- A learner who returns, or goes to a step directly, has none of the variables
-- of the steps before: their code is run again, unseen, with short
-- measurements.
local function restore()
  local chunks = chunks_before(open, at)
  if not is_missing(chunks) then return end
  local timing = require "lua.timing"
  local quick = timing.quick
  timing.quick = 0.03
  local ok, why = pcall(function()
    for _, chunk in ipairs(chunks) do
      if not only_shows(chunk) then silently(text.run, chunk, _G) end
    end
  end)
  timing.quick = quick
  if not ok then error(why, 0) end
  say(style.dim(help.wrap(
    "The code of the steps before was run again, so its variables are here.",
    width(), "", "")))
end

------------------------------------------------------------------- the course

-- "11 coalescing 4/6 ✓10" for the prompt, once a step was shown.
function lesson.prompt()
  if not (open and seen) then return nil end
  local passed = 0
  for _, name in ipairs(course.names()) do
    if progress.get("passed", name) then passed = passed + 1 end
  end
  return ("%d %s %d/%d ✓%d"):format(open.number or 0, open.short, at,
    #open.steps, passed)
end

-- One line for the console's greeting.
function lesson.greeting()
  if not progress.get "at" then
    return "New here? Type lesson(1) and press Enter. lessons() lists the course."
  end
  local l = current()
  return l
    and (
      "next() goes on with lesson %d, %s; lessons() lists the course."):format(
        l.number, l.title)
end

local function mark(l)
  if progress.get("passed", l.name) then return "✓" end
  if open and open.name == l.name then return "▸" end
  return " "
end

function lesson.lessons()
  local part, passed, names = nil, 0, course.names()
  current()
  if #names == 0 then
    return paragraph(
      ("There are no lessons in %s: Mettle is not installed completely."):format(course.folder()))
  end
  for _, name in ipairs(names) do
    local ok, l = pcall(course.get, name)
    if ok then
      if l.data.part ~= part then
        part = l.data.part
        say((passed + 1 > 1 or name ~= names[1]) and "\n" or "",
          style.bold(course.parts[part] or "More"))
      end
      if progress.get("passed", name) then passed = passed + 1 end
      say((" %s %2d  %s"):format(mark(l), l.number,
        help.wrap(l.title, width() - 30, "", ""))
        .. style.dim(l.data.minutes and ("  (%d min)"):format(l.data.minutes)
          or ""))
    else
      say(("   %s  cannot be read: %s"):format(name:sub(1, 2), tostring(l)))
    end
  end
  say("")
  if passed > 0 then say(("%d of %d passed (✓)."):format(passed, #names)) end
  if open then
    paragraph(
      ("lesson() goes on with lesson %d, %s; lesson(n) opens another."):format(
        open.number, open.title))
  else paragraph("lesson(1) begins; lesson(n) opens any other.") end
end

-- A step of a lesson, by its number; nil and a sentence if there is none.
local function step_of(l, step)
  local n = math.tointeger(tonumber(step))
  if n and l.steps[n] then return n end
  return nil, ("Lesson %d has the steps 1 to %d."):format(l.number or 0,
    #l.steps)
end

-- Where to open a lesson: where the learner left it, at its beginning once it
-- is passed.
local function left_at(l)
  if progress.get("passed", l.name) then return 1 end
  return step_of(l, progress.get("step", l.name)) or 1
end

-- lesson(), lesson(3), lesson(3, 2), lesson "grid"
function lesson.lesson(...)
  local what, step = ...
  if select("#", ...) == 0 then
    if not current() then return lesson.lesson(1) end
    show_step()
    return restore()
  end
  local l, why = course.find(what)
  if not l then
    return paragraph((why:gsub("^%l", string.upper))
      .. (why:find "%?$" and "" or "."))
  end
  course.forget(l.name) -- its author may be at work on it
  l = course.get(l.name)
  local to = left_at(l)
  if step ~= nil then
    to, why = step_of(l, step)
    if not to then return paragraph(why) end
  end
  insisted = false
  go_to(l, to)
  show_step()
  restore()
  if to > 1 and step == nil then
    say(style.dim(help.wrap(
      ("You were here; lesson(%d, 1) begins again."):format(l.number),
      width(), "", "")))
  end
end

-- The step with the task.
function lesson.task()
  if not need() then return end
  for i, step in ipairs(open.steps) do
    if is_turn(step) then
      go_to(open, i)
      show_step()
      return restore()
    end
  end
  paragraph "This lesson has no task."
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
    return paragraph "That was the last lesson. lessons() lists what you have passed."
  end
  if not progress.get("passed", open.name) then
    paragraph(("Lesson %d is not passed yet: lesson(%d) returns to it."):format(
      open.number, open.number))
  end
  insisted = false
  go_to(after, 1)
  show_step()
end

function lesson.back()
  if not need() then return end
  if at == 1 then
    paragraph "This is the lesson's first step; lesson(n) opens another lesson."
  else go_to(open, at - 1) end
  show_step()
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
      local ok, values = pcall(text.run, chunk, _G)
      if not ok and not block.fails then error(values, 0) end
      if not ok then say(tostring(values))
      elseif values.n > 0 then
        _G._ = values[1]
        show.print(style.dim, table.unpack(values, 1, values.n))
      end
    end
  end
end

function lesson.hint()
  if not need() then return end
  local hints = open.data.hints or {}
  local given = math.min((tonumber(progress.get("hints", open.name)) or 0) + 1,
    #hints)
  if #hints == 0 then return paragraph "This lesson has no hints." end
  progress.set("hints", open.name, given)
  say(text.inline(help.wrap(hints[given], width(),
    ("Hint %d of %d: "):format(given, #hints), "  ")))
  if given == #hints then
    say(style.dim "This is the last one; solution() shows how we did it.")
  end
end

------------------------------------------------------------------- checking

local function print_verdict(l, v)
  for i, line in ipairs(v.lines) do
    if i == 1 then line = (v.ok and style.good or style.bad)(
      help.wrap(line, width(), "", ""))
    -- a compiler's lines show code
    elseif not v.kinds.compile then line = style.fold(line) end
    say(line)
  end
  for _, why in ipairs(v.skipped) do
    say(style.dim(style.fold("Not judged here: " .. why .. ".")))
  end
  if v.ok then
    local passed = style.fold(
      "✓ Lesson " .. title_of(l)
        .. " is passed. next() goes on, solution() shows ours.")
    say((passed:gsub("^.-passed%.", style.good)))
  else
    say(style.dim "hint() helps.")
  end
end

-- What is to be judged: source, its name and its file if it is one; or a
-- kernel.
local function answer_of(l, given)
  if type(given) == "string" then return given, nil, "program_source" end
  if given ~= nil then return nil, given, given.name end
  if not l.data.exercise then
    if file.make(l) then
      say((
        "%s is now in this folder: edit() opens it, and check() checks it as it stands."):format(file.name(l)))
    end
    return file.read(file.name(l)), nil, file.name(l), file.name(l)
  end
  return file.read(file.name(l)) or "", nil, file.name(l)
end

local function judge_now(l, given)
  local judge = require "lua.lesson_judge"
  local source, kernel, name, path = answer_of(l, given)
  local line = require "lua.progress".new("check", #(l.data.cases or {}) + 2)
  local ok, v = pcall(judge.judge, l, source,
    { name = name, path = path, kernel = kernel, progress = line })
  line:done()
  if not ok then error(v, 0) end
  print_verdict(l, v)
  lesson.last = v
  if v.ok and not progress.get("passed", l.name) then
    progress.set("passed", l.name, os.date "!%Y-%m-%d")
  end
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
-- check "more": the rest of what the last one found.
function lesson.check(given)
  local l = need()
  if not l then return end
  if given == "more" then return show_more() end
  local kind = type(given)
  if given ~= nil and kind ~= "string"
    and not (kind == "userdata" and require "lua.problem".is_kernel(given)) then
    error(
      ("check() checks your file of the lesson, check(k) a kernel, check[=[ … ]=] a source; it was given a %s"):format(kind), 0)
  end
  if kind == "userdata" and (l.data.exercise or l.data.kernels) then
    error("this lesson's answer is a file, not a kernel: check() checks it", 0)
  end
  judge_now(l, given)
end

-- An answer to a lesson that need not be open: it is from now on, at its task.
function lesson.answer(what, source)
  local l, why = course.find(what)
  if not l then error(why, 0) end
  l = course.get(l.name)
  local step = #l.steps
  for i, each in ipairs(l.steps) do if is_turn(each) then step = i end end
  insisted = false
  go_to(l, step)
  judge_now(l, source)
end

function lesson.solution(insist)
  if not need() then return end
  if not (progress.get("passed", open.name) or insisted or insist) then
    insisted = true
    local left = #(open.data.hints or {}) - (
      tonumber(progress.get("hints", open.name)) or 0)
    return paragraph(
      ("You have not passed this lesson yet%s. If you want to see it all the same: solution() once more.")
      :format(left > 0 and (", and hint() has %d more to say"):format(left)
        or ""))
  end
  say(style.dim("solution." .. open.extension .. " of lesson " .. title_of(open)
    .. ":"))
  for line in (open.solution:gsub("\n*$", "\n")):gmatch "([^\n]*)\n" do
    say(style.code("    " .. line))
  end
end

function lesson.reset()
  if not need() then return end
  local old = file.reset(open)
  paragraph(("%s is as it was at the start%s."):format(file.name(open),
    old and "; yours is kept as " .. old or ""))
end

function lesson.edit()
  if not need() then return end
  file.make(open)
  local ok, why = file.edit(file.name(open))
  if ok then paragraph(("check() checks %s."):format(file.name(open)))
  else paragraph((why:gsub("^%l", string.upper)) .. ".") end
end

-------------------------------------------------------------------- watching

local function clear()
  if system.terminal(1) then io.stdout:write "\27[2J\27[3J\27[H" end
end

local WATCH_KEYS =
  "h hint · s solution · t task · r run · n next · b back · q stop"

-- What the keys do; false ends it.
local watch_keys = {
  h = function() lesson.hint() end,
  s = function() lesson.solution() end,
  t = function() clear() lesson.task() end,
  n = function() clear() lesson.next() end,
  b = function() clear() lesson.back() end,
  r = function() lesson.run() end,
  q = function() return false end,
}

local function obey(keys)
  for key in (keys or ""):gmatch "%a" do
    local f = watch_keys[key:lower()]
    local ok, more = true, nil
    if f then ok, more = pcall(f) end
    if not ok then
      if tostring(more):find "interrupted" then error(more, 0) end
      say(tostring(more))
    elseif more == false then return false end
    if f then say("\n" .. style.dim(WATCH_KEYS)) end
    io.stdout:flush()
  end
end

-- The file was saved: the verdict on a clean screen; once it passes, the step
-- after the task.
local function checked_again(has_keys)
  if has_keys then clear() end
  say(style.dim(("%s  %s"):format(os.date "%H:%M:%S", file.name(open))))
  judge_now(open)
  if lesson.last.ok and at < #open.steps
    and open.steps[#open.steps - 1] and has_keys then
    for i, step in ipairs(open.steps) do
      if is_turn(step) and at <= i then
        go_to(open, i + 1)
        show_step()
        break
      end
    end
  end
  if has_keys then say("\n" .. style.dim(WATCH_KEYS)) end
  io.stdout:flush()
end

function lesson.watch()
  if not need() then return end
  file.make(open)
  seen = true
  local screen = require "mettle.screen"
  local has_keys = screen.keys()
  if has_keys then clear() end
  paragraph(
    ("Watching %s: it is checked whenever you save it. Ctrl-C ends this."):format(file.name(open)))
  local ok, why = system.attempt(file.watch,
    function() return file.name(open) end,
    function() checked_again(has_keys) end,
    function(seconds)
      if not has_keys then return system.sleep(seconds) end
      return obey(screen.wait(seconds))
    end)
  screen.leave()
  if not ok and why ~= "interrupted" then error(why, 0) end
  say("\nNo longer watching.")
end

return lesson
