-- progress.lua - what a person has passed, kept between sessions.
--
--   progress.get("passed", name)      what stands after it in the file, or nil
--   progress.set("passed", name, v)   kept on the disk when it returns
--   progress.stay_in_memory()         from now on nothing is read or written:
--                                     it ends with the process
--
-- A plain text file in the state folder, one line for each thing:
--
--   passed 04-first-kernel 2026-11-15
--   step 04-first-kernel 4
--   at 04-first-kernel
--   open puzzle puzzle-map        where one was in another set
--   best challenge-guards-tight 412
--   told vi leave                 how to leave this editor was said
--
-- A lesson's number counts for nothing when a line is looked for: it may differ
-- from one version of the course to the next.
--
-- Every change reads the file again and replaces it at once, so a crash leaves
-- the old one or the new one; a lock file lets one console at a time do so, so
-- that none undoes what another wrote. Lines that mean nothing here (of a later
-- version, or damaged) are kept as they are, and count for nothing.
local system = require "mettle.system"

local progress = {}

local header =
  "# Progress in Mettle's lessons: written by the console, yours to edit."

-- What may stand after the name; a line with anything else is damaged.
local number = "^%s+%d%d?%d?%d?%s*$"
local behind = { passed = "^%s", step = number, hints = number, at = "^%s*$",
  open = "^%s+[%w-]+%s*$", best = "^%s+%d+%.?%d*%s*$",
  told = "^%s+leave%s*$" }

function progress.path()
  return system.state and system.state .. "/lessons.txt"
end

local function key_of(what, name)
  return what == "at" and "at"
    or what .. " " .. name:gsub("^%d%d%-(%a)", "%1")
end

-- The lines, and where the line of each thing stands.
local function parse(text)
  local lines, where = {}, {}
  for line in (text:gsub("([^\n])$", "%1\n")):gmatch "([^\n]*)\n" do
    lines[#lines + 1] = line
    local what, name, rest = line:match "^(%a+) ([%w-]+)(.*)$"
    if behind[what] and (rest .. " "):find(behind[what]) then
      where[key_of(what, name)] = #lines
    end
  end
  return lines, where
end

-- The file's text; nil if there is none. Raises if there is one that cannot be
-- read: it must not be replaced then.
local function read()
  local path = progress.path()
  if not path then error("there is no home folder", 0) end
  local file, why, code = io.open(path)
  if not file and code == 2 then return nil end -- ENOENT, everywhere
  local text = file and file:read "a"
  if file then file:close() end
  if not text then error(why or path .. " cannot be read", 0) end
  return text
end

local memory = {} -- what could not be kept is known until the end
local complained = false
local only_memory = false

function progress.stay_in_memory() only_memory = true end

function progress.get(what, name)
  local key = key_of(what, name)
  if memory[key] ~= nil or only_memory then return memory[key] end
  local readable, text = pcall(read)
  local lines, where = parse(readable and text or "")
  local line = where[key] and lines[where[key]]
  if not line then return nil end
  if what == "at" then return line:match "^at ([%w-]+)" end
  return line:match "^%a+ [%w-]+ +(%S+)" or ""
end

local function complain(why)
  if complained then return end
  complained = true
  io.stderr:write("note: your progress in the lessons is not kept: ", why, "\n")
end

local function write(key, line)
  local lines, where = parse(read() or header)
  if where[key] and lines[where[key]] == line then return end
  lines[where[key] or #lines + 1] = line
  system.keep(progress.path(), table.concat(lines, "\n") .. "\n")
end

function progress.set(what, name, value)
  local key = key_of(what, name)
  local kept = what == "at" and name or tostring(value)
  if only_memory then
    memory[key] = kept
    return
  end
  local line = what == "at" and "at " .. name
    or ("%s %s %s"):format(what, name, tostring(value))
  local ok, why = pcall(function()
    local path = progress.path() or error("there is no home folder", 0)
    system.alone(path .. ".lock", write, key, line)
  end)
  memory[key] = nil
  if not ok then
    memory[key] = kept
    complain((tostring(why):gsub("^[^\n:]*%.lua:%d+: ", "")))
  end
end

return progress
