-- list.lua - what there is of a set of lessons, and what was passed.
--
--   list.show(set, open)         as a table on the screen
--   list.count_passed(word)      how many of a set
--   list.has_passed(task)        and whether one was: a lesson or a task
local course = require "lua.lesson.course"
local progress = require "lua.lesson.progress"
local style = require "lua.text.style"
local system = require "mettle.system"
local units = require "lua.text.units"

local list = {}

-- For text: not wider than is read with ease.
function list.width()
  return math.max(30, math.min(system.width() - 1, 78))
end
local width = list.width

function list.say(...)
  io.stdout:write(...)
  io.stdout:write("\n")
end
local say = list.say

function list.paragraph(words) say(units.wrap(words, width(), "", "")) end
local paragraph = list.paragraph

-- "lesson 5"
list.called = course.called

function list.has_passed(t) return progress.get("passed", t.key) ~= nil end
local has_passed = list.has_passed

function list.count_passed(word)
  local passed = 0
  for _, name in ipairs(course.names(word)) do
    if progress.get("passed", course.key(word, name)) then
      passed = passed + 1
    end
  end
  return passed
end

local function mark(l, open)
  if has_passed(l) then return "✓" end
  if open and open.key == l.key then return "▸" end
  return " "
end

-- "  (15 min)", and of a capstone how many of its tasks are passed.
local function remark(l)
  local words = { l.data.minutes and ("%d min"):format(l.data.minutes) }
  if #l.tasks > 1 then
    local passed = 0
    for _, t in ipairs(l.tasks) do
      if has_passed(t) then passed = passed + 1 end
    end
    words[#words + 1] = ("%d of %d tasks passed"):format(passed, #l.tasks)
  end
  return #words > 0 and ("  (%s)"):format(table.concat(words, ", ")) or ""
end

local BESIDE = 50 -- the column of a heading beside its first

local function show_one(set, name, part, open)
  local ok, l = pcall(course.get, name, set.word)
  if not ok then
    say(("   %s  cannot be read: %s"):format(name:sub(1, 2), tostring(l)))
    return part
  end
  local heading = l.data.part ~= part and (set.parts[l.data.part] or "More")
  local line = (" %s %2d  %s"):format(mark(l, open), l.number,
    units.wrap(l.title, width() - 30, "", ""))
  local apart = heading and (not set.is_compact
    or BESIDE + units.width(heading) > system.width())
  if apart then
    say(part and "\n" or "", style.bold(heading))
    heading = ""
  elseif heading then -- beside its first, so that the list fits on a screen
    local room = BESIDE - units.width(line .. remark(l))
    heading = (" "):rep(room) .. heading
  end
  say(line, style.dim(remark(l) .. (heading or "")))
  return l.data.part
end

-- The set, with what was passed and the one that is open marked.
function list.show(set, open)
  local part, names = nil, course.names(set.word)
  if #names == 0 then
    return paragraph(("There are no %s in %s: "
      .. "Mettle is not installed completely.")
      :format(set.many, course.folder(set.word)))
  end
  for _, name in ipairs(names) do part = show_one(set, name, part, open) end
  local passed = list.count_passed(set.word)
  if not set.is_compact then say("") end
  if passed > 0 then say(("%d of %d passed (✓)."):format(passed, #names)) end
  if open and open.set == set then
    paragraph(("next() goes on with %s, %s; %s(n) opens another."):format(
      list.called(open), open.title, set.word))
  else
    paragraph(("%s(1) begins; %s(n) opens any other."):format(set.word,
      set.word))
  end
end

return list
