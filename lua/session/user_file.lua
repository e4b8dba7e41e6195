-- user_file.lua - the learner's own file: made, read, opened, watched.
--
-- It lies in the current folder and is called after its task
-- (lua/judge/task.lua), 04-first-kernel.metal. It is made once, from the task's
-- start, and never overwritten: reset() puts the old one aside first. A
-- lesson's number may have changed since: a file with its name and another
-- number is still its file.
local system = require "mettle.system"

local file = {}

-- The learner's file with this name and another number, or nil.
local function renumbered(task)
  local word = task.stem:match "^%d%d(%-.*)$"
  if not word then return nil end
  local found
  for _, name in ipairs(system.list ".") do
    if name:find "^%d%d%-" and name:sub(3) == word .. "." .. task.extension then
      found = name
    end
  end
  return found
end

function file.name(task)
  local name = task.stem .. "." .. task.extension
  return system.there(name) and name or renumbered(task) or name
end

-- The text; nil if nothing has that name. Raises a sentence if something has,
-- and cannot be read: it belongs to a person, and must not be taken for
-- missing.
function file.read(name)
  local f, why = io.open(name)
  local text
  if f then
    text, why = f:read "a"
    f:close()
  end
  if text then return text end
  local there = system.there(name)
  if not there then return nil end
  why = there == "link" and "it is a link to a file that is not there"
    or there == "folder" and "it is a folder" or tostring(why):gsub("^.*: ", "")
  error(
    ("%s is there, but cannot be read (%s): it is left as it is; "
      .. "make it readable, or give it another name")
    :format(name, why), 0)
end

-- Makes the file if there is none; true if it was made. Raises one sentence.
function file.make(task)
  local name = file.name(task)
  if file.read(name) then return false end
  local ok, made = pcall(system.create, name, task.start)
  if not ok then
    error(
      ("%s cannot be written in this folder (%s): leave with Ctrl-D, "
        .. "go to a folder of yours and start mettle there")
      :format(name, (tostring(made):gsub("^[^\n:]*%.lua:%d+: ", ""))), 0)
  end
  return made
end

-- Keeps the text under the first free name of the task, which it returns.
local function put_aside(task, text)
  local n = 0
  repeat
    n = n + 1
    local name = ("%s.old%d.%s"):format(task.stem, n, task.extension)
    if system.create(name, text) then return name end
  until false
end

-- Puts the learner's file aside and a fresh one in its place; the name that the
-- old one has now, or nil if there was none.
function file.reset(task)
  local name, old = file.name(task), nil
  local text = file.read(name)
  -- before anything is changed
  if text and text ~= task.start then old = put_aside(task, text) end
  system.keep(name, task.start)
  return old
end

-------------------------------------------------------------------- editing

local function quoted(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

local function installed(program)
  return os.execute("command -v " .. quoted(program)
    .. " >/dev/null 2>&1") == true
end

-- The person's editor, and the variable that names it, or one that is there;
-- nil if none.
function file.editor()
  for _, variable in ipairs { "VISUAL", "EDITOR" } do
    local chosen = os.getenv(variable)
    if chosen and chosen:find "%S" then return chosen, variable end
  end
  for _, program in ipairs { "nano", "micro", "vim", "vi", "emacs" } do
    if installed(program) then return program end
  end
end

-- How to save and leave, by the editor's name: some show it, others do not.
local ways_out = {
  { "vi", "vim", "nvim", "view", "vim.basic", "vim.tiny",
    say = "type i to write; Esc, then :wq and Enter saves and leaves, "
      .. "Esc and :q! leaves without saving" },
  { "emacs", say = "Ctrl-X Ctrl-S saves, Ctrl-X Ctrl-C leaves" },
  { "micro", say = "Ctrl-S saves, Ctrl-Q leaves" },
  { "nano", "pico", say = "Ctrl-O and Enter saves, Ctrl-X leaves" },
  { "ed", say = "w saves, q leaves" },
}

-- How one leaves the editor that edit() starts: its name and a sentence; nil if
-- it is not known.
function file.way_out()
  local name = (file.editor() or ""):match "^%s*(%S*)":match "[^/]*$"
  for _, way in ipairs(ways_out) do
    for _, known in ipairs(way) do
      if known == name then return name, way.say end
    end
  end
end

-- Opens the file and waits; false and a sentence if that does not work.
function file.edit(name)
  local editor, variable = file.editor()
  if variable and not installed(editor:match "%S+") then
    return false,
      ("%s names %s, which is not installed here: open %s in another editor, "
        .. "or set %s before starting mettle")
      :format(variable, editor:match "%S+", name, variable)
  end
  if not editor then
    return false,
      ("there is no editor here that I know: open %s in yours, "
        .. "or set EDITOR before starting mettle"):format(name)
  end
  if not (system.terminal(0) and system.terminal(1)) then
    return false,
      ("an editor needs a terminal: change %s by other means"):format(name)
  end
  local ok, _, code = os.execute(editor .. " " .. quoted(name))
  if ok then return true end
  return false,
    ("%s ended with status %s; the environment variable EDITOR "
      .. "chooses another"):format(editor, tostring(code))
end

-------------------------------------------------------------------- watching

-- Calls 'changed()' whenever the file that 'name()' gives was saved, and at
-- once for the first; 'wait(seconds)' in between, until that returns false.
-- Ctrl-C raises "interrupted".
function file.watch(name, changed, wait)
  local last, watched
  repeat
    local now = name()
    local text = file.read(now)
    if watched and now ~= watched then last = text end -- another lesson's
    if text and text ~= last and text:find "%S" then -- empty: it is being saved
      last = text
      changed()
    end
    watched = now
  until wait(0.15) == false
end

return file
