-- notes.lua - lines that are valid Lua, ran, and likely mean something else. A
-- note is printed after what the line gave; nothing else changes. Read by
-- lua/slips/slips.lua.
--
--   words   names that are nil here, wherever they stand in the line
--   bare    the same where the line has nothing else
--   rows    { pattern of the line, say = } as in lua/slips/syntax.lua
local SMALL = "true and false are written small in Lua; with a capital it is a "
  .. "variable without a value, nil"
local NIL = "is a variable without a value here: Lua writes nil"

local words = { True = SMALL, False = SMALL, TRUE = SMALL, FALSE = SMALL,
  None = "None " .. NIL, null = "null " .. NIL, NULL = "NULL " .. NIL,
  nullptr = "nullptr " .. NIL, undefined = "undefined " .. NIL,
  NaN = "NaN is 0/0 in Lua", inf = "infinity is math.huge in Lua" }

local SHELL = "is the shell's: use another window, or leave with Ctrl-D"
local bare = { q = "exit leaves, and so does Ctrl-D",
  bye = "exit leaves, and so does Ctrl-D",
  logout = "exit leaves, and so does Ctrl-D",
  stop = "exit leaves, and so does Ctrl-D; Ctrl-C stops what runs",
  clear = "Ctrl-L clears the screen", cls = "Ctrl-L clears the screen",
  pass = "Lua needs no pass: a block may be empty",
  continue = "Lua has no continue: put the rest of the loop's body in an if",
  man = "help() lists the topics", info = "help() lists the topics",
  begin = "lesson(1) begins the course", start = "lesson(1) begins the course",
  device = "the device in use is gpu.device",
  devices = "gpu.devices() lists them",
    kernels = "gpu.kernels() lists the library",
  version = "`mettle --version` in the shell says it",
  exercises = "lessons() lists the course, puzzle() the puzzles",
  puzzles = "puzzle() lists them", capstones = "capstone() lists them" }
for _, word in ipairs { "ls", "pwd", "cd", "dir", "python", "git", "vim",
  "nano", "pip", "make", "xcrun", "nvcc" } do
  bare[word] = word .. " " .. SHELL
end

-- gpu.buffer{1000, 1000}: two values, where a matrix may have been meant.
local function matrix(first, second, third)
  local a, b = math.tointeger(tonumber(first)), math.tointeger(tonumber(second))
  local c = third and math.tointeger(tonumber(third))
  if a < 32 or b < 32 or third and c < 32 then return nil end
  return third
    and ("this buffer has three elements, the values %s, %s and %s; "
      .. "a block of %s × %s × %s is gpu.buffer(%s, %s, %s)")
      :format(first, second, third, first, second, third, first, second, third)
    or ("this buffer has two elements, the values %s and %s; "
      .. "a matrix of %s rows and %s columns is gpu.buffer(%s, %s)")
      :format(first, second, first, second, first, second)
end

-- t[0] of a list: its first element is t[1].
local function first_of(path)
  local ok, list = pcall(load("return " .. path, "=", "t") or error)
  if not ok or type(list) ~= "table" or debug.getmetatable(list) then
    return nil
  end
  if rawget(list, 0) ~= nil or rawget(list, 1) == nil then return nil end
  return ("Lua's lists count from 1: the first is %s[1]; "
    .. "buffers count from 0"):format(path)
end

-- print of a table gives its address.
local function table_of(path)
  local ok, value = pcall(load("return " .. path, "=", "t") or error)
  if not ok or type(value) ~= "table" then return nil end
  local meta = debug.getmetatable(value)
  if meta and rawget(meta, "__tostring") then return nil end
  return ("print gives where a table is; show(%s), or %s alone, what it holds")
    :format(path, path)
end

local rows = {
  { "^print%s*%(%s*([%a_][%w_.]*)%s*%)$", say = table_of },
  { "^([%a_][%w_.]*)%[0%]$", say = first_of },
  { "^([%a_][%w_.]*)%s*(\1%d+\2);?$", say = function(name, rest)
    return rest == "--" and ("in Lua -- begins a comment, so %s is as it was: "
      .. "write %s = %s - 1")
      :format(name, name, name) or nil
  end },
  { "gpu%.buffer%s*%(?%s*{%s*(%d+)%s*,%s*(%d+)%s*}", say = matrix },
  { "gpu%.buffer%s*%(?%s*{%s*(%d+)%s*,%s*(%d+)%s*,%s*(%d+)%s*}", say = matrix },
}

return { words = words, bare = bare, rows = rows }
