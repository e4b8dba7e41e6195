-- sandbox.lua - what untrusted code may do: a stranger's lesson while it is
-- checked, the cells of a notebook with --sandbox.
--
--   sandbox.env()                   the globals that its code sees, a new table
--   sandbox.confine(folder, work, whose)
--                                   closes the way to other files, for good,
--                                   for all that this process does from here
--                                   on; 'folder' may be read, 'work', if there
--                                   is one, written too; 'whose' is for
--                                   messages, "a lesson"
--
-- The code gets Lua's libraries without what starts programs, loads machine
-- code or bytecode, looks into other functions or ends the process, and
-- Mettle's functions without those that act on the learner's own files.
-- Mettle's own folders are out of its reach: what is compiled there is run
-- elsewhere. docs/writing-a-lesson.md and docs/notebooks.md say so.
local system = require "mettle.system"

local sandbox = {}

local function pick(from, names)
  local to = {}
  for name in names:gmatch "%S+" do to[name] = from[name] end
  return to
end

local function all(from, without)
  local to = {}
  for name, value in pairs(from) do
    if not (without or ""):find(name, 1, true) then to[name] = value end
  end
  return to
end

local plain =
  "assert error ipairs next pairs pcall xpcall select tonumber tostring type "
    .. "rawequal rawget rawlen rawset setmetatable _VERSION"

-- Functions of Mettle that a lesson's code has no business with: they open an
-- editor, wait for changes, or change the learner's answers and progress.
local kept_back = { edit = true, watch = true, lesson = true, lessons = true,
  puzzle = true, capstone = true, challenge = true, answer = true,
  run = true, hint = true, solution = true, task = true,
  reset = true, back = true, arg = true }
local of_lua = {}
for name in ([[_G assert collectgarbage coroutine debug dofile error
  getmetatable io ipairs load loadfile math next os package pairs pcall print
  rawequal rawget rawlen rawset require select setmetatable string table tonumber tostring type
  utf8 warn xpcall _VERSION]]):gmatch "%S+" do of_lua[name] = true end

-- Of what is not a table only its name: its methods are Mettle's own.
local function outer_metatable(v)
  local m = getmetatable(v)
  if type(v) == "table" or type(m) ~= "table" then
    return type(v) == "table" and m or nil
  end
  return { __name = m.__name }
end

-- What is printed goes where the linter sends it at that moment.
local function quiet_io()
  local out = {}
  function out:write(...)
    io.write(...)
    return self
  end
  function out.flush() return out end
  function out.setvbuf() return true end
  return { open = function(path, mode) return io.open(path, mode) end,
    lines = function(path, ...)
      if path == nil then error("io.lines needs the name of a file here", 2) end
      return io.lines(path, ...)
    end,
    type = io.type, write = function(...) return io.write(...) end,
      stdout = out, stderr = out }
end

function sandbox.env()
  local env = pick(_G, plain)
  for name, value in pairs(_G) do
    if not of_lua[name] and not kept_back[name] then env[name] = value end
  end
  env._G = env
  env.print = function(...) return print(...) end
  env.getmetatable = outer_metatable
  env.collectgarbage = function(what)
    return collectgarbage(what == "count" and "count" or "collect")
  end
  env.string, env.table, env.math, env.utf8 = all(string, "dump"), all(table),
    all(math), all(utf8)
  env.coroutine, env.io = all(coroutine), quiet_io()
  env.os = pick(os, "clock date difftime time")
  env.load = function(chunk, name, _, its)
    return load(chunk, name or "=lesson", "t", its == nil and env or its)
  end
  return env
end

-- Files outside are as files that cannot be opened.
function sandbox.confine(folder, work, whose)
  sandbox.is_confined = true
  local refusal = (": %s may open files of its own folder only"):format(whose)
  -- A GPU's driver has a process of its own, which starts with the device:
  -- before the process is confined, since the driver opens what it likes.
  pcall(function() return gpu.device.name end)
  system.confine({ folder, system.data }, { work }, { system.cache })
  local open, lines = io.open, io.lines
  function io.open(path, mode)
    local writes = type(mode) == "string" and mode:find "[wa+]" ~= nil
    if not system.allowed(path, writes) then
      return nil, tostring(path) .. refusal, 13
    end
    return open(path, mode)
  end
  function io.lines(path, ...)
    if path ~= nil and not system.allowed(path, false) then
      error(tostring(path) .. refusal, 2)
    end
    return lines(path, ...)
  end
  os.execute, io.popen, os.remove, os.rename, os.tmpname, os.exit = nil, nil,
    nil, nil, nil, nil
  dofile, loadfile = nil, nil
  package.loadlib, package.searchpath = nil, nil
  package.path, package.cpath = system.data .. "/?.lua", ""
  string.dump, gpu.capture = nil, nil
end

return sandbox
