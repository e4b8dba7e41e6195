-- notes.lua - the speaker's notes on a second terminal.
--
-- The presentation listens at a socket of this user; `mettle present --notes`
-- calls there. Whatever changes is sent to all that called: fields between unit
-- separators, a record separator at the end. Keys come back.
--
--   notes.listen() -> server, or nil and why
--   server:tell(fields), server:keys() -> bytes, server:close()
--   notes.watch()   the second terminal, until q
local sockets = require "mettle.present"
local system = require "mettle.system"

local notes = {}
local methods = {}
local meta = { __index = methods }

local UNIT, RECORD = "\31", "\30"
local NAMES = { "name", "at", "count", "title", "state", "notes", "elapsed",
  "here", "minutes", "planned", "next_title", "next_notes", "next_code" }

local function path()
  if not system.state then
    error("notes need a folder of yours for their socket, and there is no home",
      0)
  end
  return system.state .. "/present.socket"
end

-------------------------------------------------------------------- presenting

function notes.listen()
  local ok, fd = pcall(function() return sockets.listen(path()) end)
  if not ok then return nil, fd end
  return setmetatable({ listening = fd, callers = {} }, meta)
end

function methods:welcome()
  local fd = sockets.accept(self.listening)
  while fd do
    self.callers[#self.callers + 1] = fd
    if self.last and not sockets.send(fd, self.last) then self:drop(fd) end
    fd = sockets.accept(self.listening)
  end
end

function methods:drop(fd)
  for i, caller in ipairs(self.callers) do
    if caller == fd then table.remove(self.callers, i) end
  end
  sockets.close(fd)
end

function methods:tell(fields)
  local list = {}
  for i, name in ipairs(NAMES) do list[i] = tostring(fields[name] or "") end
  self.last = table.concat(list, UNIT) .. RECORD
  self:welcome()
  for _, fd in ipairs(table.move(self.callers, 1, #self.callers, 1, {})) do
    if not sockets.send(fd, self.last) then self:drop(fd) end
  end
end

-- What was typed at the other terminals.
function methods:keys()
  self:welcome()
  local typed = ""
  for _, fd in ipairs(table.move(self.callers, 1, #self.callers, 1, {})) do
    local bytes = sockets.receive(fd)
    if bytes then typed = typed .. bytes else self:drop(fd) end
  end
  return typed
end

function methods:close()
  for _, fd in ipairs(self.callers) do sockets.close(fd) end
  sockets.close(self.listening)
  os.remove(path())
end

----------------------------------------------------------------------- reading

-- The last whole record of what came; the fields, and what is left over.
function notes.parse(text)
  local record
  while true do
    local one, rest = text:match("^([^" .. RECORD .. "]*)" .. RECORD .. "(.*)$")
    if not one then break end
    record, text = one, rest
  end
  if not record then return nil, text end
  local fields, i = {}, 0
  for value in (record .. UNIT):gmatch("([^" .. UNIT .. "]*)" .. UNIT) do
    i = i + 1
    if NAMES[i] then fields[NAMES[i]] = value end
  end
  for _, name in ipairs { "at", "count", "elapsed", "here", "minutes",
    "planned" } do
    fields[name] = tonumber(fields[name])
  end
  fields.heard = system.now()
  return fields, text
end

local function now_is(fields)
  local since = system.now() - fields.heard
  local n = {}
  for key, v in pairs(fields) do n[key] = v end
  n.elapsed, n.here = n.elapsed + since, n.here + since
  return n
end

local function draw(screen, fields)
  local view = require "lua.present.view"
  local columns, rows = system.width(), system.height()
  local list = fields and view.notes(now_is(fields), columns, rows)
    or { "Waiting for a presentation: mettle present DEMO.lua", "",
      "q leaves." }
  local out = { "\27[?2026h\27[H" }
  for i = 1, rows do
    out[#out + 1] = (list[i] or "") .. "\27[K" .. (i < rows and "\r\n" or "")
  end
  out[#out + 1] = "\27[?2026l"
  screen.write(table.concat(out))
end

-- Keys but q go on, without the mouse's.
local function forward(fd, typed)
  typed = typed:gsub("\27%[<[%d;]*[Mm]", "")
  if typed:find("q", 1, true) then return true end
  if fd and typed ~= "" then sockets.send(fd, typed) end
  return false
end

local function loop(screen)
  local fd, fields, text = nil, nil, ""
  while true do
    fd = fd or sockets.connect(path())
    local bytes = fd and sockets.receive(fd)
    if fd and not bytes then
      sockets.close(fd)
      fd, fields, text = nil, nil, ""
    elseif fd then
      local got
      got, text = notes.parse(text .. bytes)
      fields = got or fields
    end
    draw(screen, fields)
    local typed = screen.wait(fd and 0.1 or 0.5)
    if not typed or forward(fd, typed) then return end
  end
end

function notes.watch()
  local screen = require "mettle.screen"
  path()
  if not screen.page() then
    error("notes need a terminal with a whole screen", 0)
  end
  local ok, why = system.attempt(loop, screen)
  screen.leave()
  if not ok and why ~= "interrupted" then error(why, 0) end
end

return notes
