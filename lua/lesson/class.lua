-- class.lua - who of a class has passed what.
--
--   mettle lesson share FOLDER [--as NAME]     a learner agrees: the lessons
--                                              that were passed, and when, are
--                                              written to FOLDER/NAME.txt
--   mettle lesson class FOLDER [-o PAGE.html]  the teacher's table of them all
--
-- Nothing else of the progress is shared: no answers, no hints, no times. What
-- lies in the folder was written by others and is read as such: lines that are
-- not "passed LESSON DATE" count for nothing.
local course = require "lua.lesson.course"
local progress = require "lua.lesson.progress"
local system = require "mettle.system"
local units = require "lua.text.units"

local class = {}

local MOST = 65536 -- bytes of a learner's file that are read

local fail = require "lua.session.usage"

-- ------------------------------------------------------------------- sharing

-- "# Ada", then a line for each lesson that was passed.
function class.mine(name)
  local lines = { "# " .. name }
  for _, lesson in ipairs(course.names()) do
    local date = progress.get("passed", lesson)
    if date then
      lines[#lines + 1] = ("passed %s %s"):format(lesson,
        date:match "%d+%-%d+%-%d+" or "")
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

-- A name as people write theirs, which is the name of a file too: letters of
-- any language, spaces inside, no path and nothing hidden.
local function is_name(name)
  return utf8.len(name) ~= nil and #name <= 200
    and name:find "^[%w\x80-\xff]" ~= nil
    and not name:find "[%c/\\:*?\"<>|]" and not name:find "%s$"
    and not name:find "\xc2[\x80-\x9f]"
end

function class.share(folder, name)
  local asked = name
  name = name or os.getenv "JUPYTERHUB_USER" or os.getenv "USER"
  if not name or not is_name(name) then
    fail("%s: mettle lesson share %s --as \"Ada Lovelace\"", asked
      and "the name becomes a file's: no slash, nothing hidden, "
        .. "no space at its end"
      or "under which name?", folder)
  end
  if system.there(folder) ~= "folder" then
    fail("there is no folder %s", folder)
  end
  local path = ("%s/%s.txt"):format(folder, name)
  system.place(path, class.mine(name))
  return path
end

-- -------------------------------------------------------------------- reading

-- The dates of one learner by lesson, without its number: the file may be of
-- another version.
function class.read(text)
  local passed = {}
  for lesson, date in text:gmatch "passed ([%w-]+) (%d%d%d%d%-%d%d%-%d%d)" do
    passed[course.short(lesson)] = date
  end
  return passed
end

-- { { name = "ada", passed = { … }, count = 3 }, … } by name.
function class.all(folder)
  if system.there(folder) ~= "folder" then
    fail("there is no folder %s", folder)
  end
  local learners, lessons = {}, course.names()
  for _, file in ipairs(system.list(folder)) do
    local name = file:match "^(.+)%.txt$"
    local path = folder .. "/" .. file
    local f = name and is_name(name) and system.there(path) == "file"
      and io.open(path)
    if f then
      local l = { name = name, passed = class.read(f:read(MOST) or ""),
        count = 0 }
      f:close()
      for _, lesson in ipairs(lessons) do
        if l.passed[course.short(lesson)] then l.count = l.count + 1 end
      end
      learners[#learners + 1] = l
    end
  end
  table.sort(learners, function(a, b) return a.name < b.name end)
  return learners
end

-- -------------------------------------------------------------------- showing

function class.text(learners)
  local lessons, widest, out = course.names(), 4, {}
  for _, l in ipairs(learners) do
    widest = math.max(widest, units.width(l.name))
  end
  local tens, ones = {}, {}
  for i, lesson in ipairs(lessons) do
    tens[i], ones[i] = lesson:sub(1, 1), lesson:sub(2, 2)
  end
  local pad = (" "):rep(widest)
  out[1] = ("%s  %s"):format(pad, table.concat(tens))
  out[2] = ("%s  %s"):format(pad, table.concat(ones))
  for _, l in ipairs(learners) do
    local marks = {}
    for i, lesson in ipairs(lessons) do
      marks[i] = l.passed[course.short(lesson)] and "✓" or "·"
    end
    out[#out + 1] = ("%s  %s  %d"):format(units.pad(l.name, widest),
      table.concat(marks), l.count)
  end
  return table.concat(out, "\n")
end

local page = [[
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mettle: the class</title>
<style>
:root { color-scheme: light dark; }
body { font-family: system-ui, sans-serif; margin: 2em; }
table { border-collapse: collapse; }
th, td { padding: .2em .5em; text-align: center; }
th:first-child { text-align: left; }
tr:nth-child(even) { background: color-mix(in srgb, currentColor 6%%, transparent); }
td.passed { color: #1a7f37; }
</style></head><body>
<h1>The class</h1>
<p>%s their progress; %s.</p>
<table><thead><tr><th>learner</th>%s<th>passed</th></tr></thead>
<tbody>
%s
</tbody></table>
</body></html>
]]

function class.page(learners)
  local escape = require("lua.text.page").escape
  local heads, rows = {}, {}
  for i, lesson in ipairs(course.names()) do
    heads[i] = ('<th><abbr title="%s">%d</abbr></th>'):format(escape(lesson), i)
  end
  for i, l in ipairs(learners) do
    local cells = {}
    for k, lesson in ipairs(course.names()) do
      local date = l.passed[course.short(lesson)]
      cells[k] = date
        and ('<td class="passed" title="%s" aria-label="passed %s">✓</td>')
          :format(date, date)
        or "<td></td>"
    end
    rows[i] = ("<tr><th>%s</th>%s<td>%d</td></tr>"):format(escape(l.name),
      table.concat(cells), l.count)
  end
  return page:format(
    units.many(#learners, "learner shares", "learners share"),
    os.date "!%Y-%m-%d %H:%M UTC",
    table.concat(heads), table.concat(rows, "\n"))
end

-- ---------------------------------------------------------------- the commands

local function read_words(words, option)
  local folder, value
  for i = 2, #words do
    if words[i] == option then
      value = words[i + 1] or fail("%s needs a value", option)
    elseif words[i - 1] ~= option then folder = folder or words[i] end
  end
  return folder or fail("which folder? mettle lesson --help says more"), value
end

function class.main(words)
  if words[1] == "share" then
    local folder, name = read_words(words, "--as")
    return print("shared: " .. class.share(folder, name))
  end
  local folder, to = read_words(words, "-o")
  local learners = class.all(folder)
  if not to then return print(class.text(learners)) end
  system.write(to, class.page(learners))
  print(to)
end

return class
