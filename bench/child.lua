-- child.lua - a contender in a process of its own, which answers line by line.
--
--   local child = dofile "bench/child.lua"
--   local c = child.open("METTLE_THREADS=1 build/mettle bench/worker.lua", "build/bench")
--   c:tell("run", 10)   the rest of its answer "ok …"; raises if it was another
--   c:close()
--
-- It reads from a named pipe and answers through another.
local child = {}
local methods = {}
local count = 0

local function answer(self, command)
  local line = self.answers:read "l"
  if not line then return nil, "the child ended at: " .. command end
  if line:sub(1, 2) ~= "ok" then return nil, line .. " (" .. command .. ")" end
  return line:sub(4)
end

-- The child says "ok" when it is ready; nil and a reason if it does not.
function child.open(command, folder)
  count = count + 1
  local pipe = ("%s/commands.%d"):format(folder, count)
  assert(os.execute(("mkdir -p %s && rm -f %s && mkfifo %s"):format(folder, pipe, pipe)))
  local self = setmetatable({ folder = folder }, { __index = methods })
  self.answers = assert(io.popen(("%s <%s"):format(command, pipe)))
  self.commands = assert(io.open(pipe, "w"))
  os.remove(pipe)
  local ok, why = answer(self, "start")
  if not ok then return nil, why end
  return self
end

function methods:tell(...)
  local command = table.concat({ ... }, " ")
  self.commands:write(command, "\n")
  self.commands:flush()
  local text, why = answer(self, command)
  if not text then error(why, 0) end
  return text
end

-- Told to end: the end of its input may be held open by a later child.
function methods:close()
  self.commands:write "quit\n"
  self.commands:close()
  self.answers:close()
end

return child
