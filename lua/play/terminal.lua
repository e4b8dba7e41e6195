-- terminal.lua - the terminal as a view: pictures, keys, the mouse.
--
-- The terminal says when it has shown a frame, and gets the next one only then:
-- a slow line, or ssh, has fewer frames and never a queue of them. Keys are
-- told when they are pressed, and not when they are let go.
local screen = require "mettle.screen"
local system = require "mettle.system"
local units = require "lua.text.units"

local terminal = {}
local view = { pace = 30 }
view.__index = view

local hints = "space pause  . step  r restart  s save  [ ] group  "
  .. "i hide  q quit"
local PATIENCE = 1     -- seconds to wait for a terminal that says nothing
-- seconds after which ESC is a key and no sequence's beginning
local ESCAPE = 0.05

-- nil where standard output is no terminal that can show pictures.
function terminal.open()
  if not screen.enter() then return nil end
  return setmetatable({ typed = "", events = {}, ready = true, sent = 0,
    buttons = 0 }, view)
end

-- What it still has to say of the last frame must not be typed at the prompt.
function view:close()
  while not self:wants() do
    self:poll()
    system.sleep(0.005)
  end
  screen.leave()
end

-- Lines of a text, each cut to the window.
local function lines(text, columns)
  local list = {}
  for line in text:gmatch "[^\n]+" do
    for part in units.fold(line, columns):gmatch "[^\n]+" do
      list[#list + 1] = units.cut(part, columns)
    end
  end
  return list
end

-- The same once more is not sent.
function view:show(frame, top, bottom, number)
  if not self:wants() then return end
  local columns, rows = screen.size()
  local now = table.concat({ number or 0, columns, rows, top, bottom }, "\n")
  if now == self.shown then return end
  self.shown, columns = now, math.max(10, columns - 1)
  local above = lines(top, columns)
  while #above > 8 do table.remove(above) end
  local below = bottom ~= "" and
    { units.cut(bottom, columns), units.cut(hints, columns) } or {}
  self.place = screen.draw(frame, above, below)
  self.frame = frame
  self.ready, self.sent = false, system.now()
end

-- Does it take a frame now?
function view:wants()
  return self.ready or system.now() - self.sent > PATIENCE
end

-- ------------------------------------------------------------------------ keys

local arrows = { A = "up", B = "down", C = "right", D = "left" }

local function key(self, name)
  self.events[#self.events + 1] = { kind = "key", key = name, momentary = true }
end

-- From a cell to a pixel of the picture.
local function mouse(self, code, column, row, ending)
  local place, frame = self.place, self.frame
  if not place then return end
  local x = (column - 0.5) * place.cell_width * frame.width / place.width
  local y = (row - 0.5) * place.cell_height * frame.height / place.height
  local e = { kind = "mouse", x = math.max(0, math.min(frame.width - 1, x)),
    y = math.max(0, math.min(frame.height - 1, y)) }
  local button = code & 3
  if code & 64 ~= 0 then
    e.kind, e.turned = "wheel", button == 0 and 1 or -1
  elseif code & 32 == 0 and button < 3 then
    local bit = 1 << button
    self.buttons = ending == "M" and self.buttons | bit or self.buttons & ~bit
  end
  e.buttons = self.buttons
  self.events[#self.events + 1] = e
end

-- One key or sequence from the front of what was typed; false if it is not all
-- there.
local function take(self)
  local typed = self.typed
  local code, column, row, ending,
    rest = typed:match "^\27%[<(%d+);(%d+);(%d+)([Mm])()"
  if code then
    mouse(self, math.tointeger(code), math.tointeger(column),
      math.tointeger(row), ending)
  else
    local final
    final, rest = typed:match "^\27[%[O][%d;?<>=]*([@-~])()"
    if final == "n" then self.ready = true end -- it has shown the frame
    if arrows[final] then key(self, arrows[final]) end
  end
  if not rest and typed:byte() == 27 then
    if typed:match "^\27[%[O]?[%d;?<>=]*$"
      and system.now() - self.heard < ESCAPE then
      return false
    end
    key(self, "escape")
    rest = #typed + 1
  end
  if not rest then
    local b = typed:byte()
    rest = 1 + (b >= 0xf0 and 4 or b >= 0xe0 and 3 or b >= 0xc0 and 2 or 1)
    local name = typed:sub(1, rest - 1)
    key(self, name == "\r" and "\n" or name)
  end
  self.typed = typed:sub(rest)
  return true
end

function view:poll()
  if #self.events == 0 then
    local bytes = screen.read()
    if not bytes then return { kind = "close" } end
    if bytes ~= "" then
      self.typed, self.heard = self.typed .. bytes, system.now()
    end
    while self.typed ~= "" and take(self) do end
  end
  return table.remove(self.events, 1)
end

return terminal
