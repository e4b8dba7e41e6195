-- step.lua - a step as it stands on the screen: a ruler with its title,
-- the text, what to look up, and what can be typed now.
--
--   step.shown(lesson, number, o)   as text. o.task: what is asked at or after
--                                   this step; o.picture: lines, or nil;
--                                   o.made: the learner's file is new
--   step.ruler(lesson, rest)        "── 5 The grid · 2 of 6 · … ────"
--   step.footer{ … }                what can be typed now
--   step.made(task)                 "05-grid.metal is now in this folder; …"
--   step.is_turn(one)               is it the step of a task?
--   step.called(lesson)             "Lesson 5"
--
-- The linter measures it: at 80 columns a step and the prompt below it fit on a
-- screen of 24 lines.
local course = require "lua.lesson.course"
local file = require "lua.session.user_file"
local list = require "lua.lesson.list"
local style = require "lua.text.style"
local system = require "mettle.system"
local text = require "lua.text.markdown"
local units = require "lua.text.units"

local step = {}

function step.is_turn(one) return one.title:find "^Your turn" ~= nil end

-- "Lesson 5", "Puzzle 3"
function step.called(l) return (list.called(l):gsub("^%l", string.upper)) end

-- "5 Guards and ragged edges", "Puzzle 3: Guard"
local function titled(l, title)
  if l.set.word ~= "lesson" then return step.called(l) .. ": " .. title end
  return ("%d %s"):format(l.number or 0, title)
end

-- Over the whole window; where there is no room, without what follows a colon
-- or a comma in the lesson's title.
function step.ruler(l, rest)
  local columns = math.max(30, math.min(system.width() - 1, 120)) - 4
  local words = titled(l, l.title) .. rest
  if units.width(words) > columns then
    words = titled(l, (l.title:gsub("[:,] .*", ""))) .. rest
  end
  words = units.cut(words, columns)
  return style.bold("── " .. words .. " "
    .. ("─"):rep(math.max(0, list.width() - 4 - units.width(words))))
end

-- Said where the learner's file was made.
function step.made(task)
  return units.wrap(("%s is now in this folder; it is yours to change."):format(
    file.name(task)), list.width(), "", "")
end

-- In one line, or broken between two of its parts.
function step.footer(parts)
  for i, part in ipairs(parts) do parts[i] = units.together(part) end
  return style.dim(units.wrap(table.concat(parts, " · "), list.width(), "", ""))
end

function step.hint(words, n, count)
  list.say(text.inline(units.wrap(words, list.width(),
    ("Hint %d of %d: "):format(n, count), "  ")))
  if n == count then
    list.say(style.dim(units.wrap(
      "This is the last one; solution() shows how we did it.", list.width(), "",
      "")))
  end
end

local function footer_of(l, n, task)
  local one, parts = l.steps[n], {}
  if #text.code(one, "lua") > 0 then
    parts[#parts + 1] = "run() runs the code above"
  end
  if step.is_turn(one) then
    parts[#parts + 1] = ("edit() opens %s"):format(file.name(task))
    parts[#parts + 1] = "check() checks"
    parts[#parts + 1] = "watch() at every save"
    parts[#parts + 1] = "hint() helps"
  end
  local after = n == #l.steps and course.after(l)
  if one.title == "What you saw" and l.data.challenges then
    parts[#parts + 1] = "challenge() has more to do"
  end
  if n < #l.steps then parts[#parts + 1] = "next() goes on"
  elseif after then parts[#parts + 1] =
    ("next() begins %s, %s"):format(list.called(after), after.title)
  else parts[#parts + 1] = "this was the last " .. l.set.word end
  return step.footer(parts)
end

function step.shown(l, n, o)
  local one = l.steps[n]
  local out = { step.ruler(l, #l.steps == 1 and ""
    or (" · %d of %d · %s"):format(n, #l.steps, one.title)),
    text.show(one, list.width()) }
  local function add(line) out[#out + 1] = line end
  if o.picture then add("\n" .. table.concat(o.picture, "\n")) end
  if o.made then add("\n" .. step.made(o.task)) end
  add ""
  local links = text.look_up(one)
  if #links > 0 then
    for i, link in ipairs(links) do links[i] = units.together(link) end
    add(style.dim(units.wrap("More: " .. table.concat(links, ", "),
      list.width(), "", "      ")))
  end
  add(footer_of(l, n, o.task))
  return table.concat(out, "\n")
end

return step
