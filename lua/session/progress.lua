-- progress.lua - one line that says how far something long has come.
--
--   local p = progress.new("compare matmul", 4)   four steps
--   p:step "CPU, one core"                        the next step begins; with a
--                                                 second argument: a long one
--   p:part(0.3)                                   of this step
--   p:done()                                      wipes the line
--
-- The line goes to standard error, only if that is a terminal, or to its place
-- in a notebook, and only once a second has passed: what is quick stays quiet.
-- It is rewritten ten times a second at most, so that it costs nothing.
local display = require "lua.session.display"
local system = require "mettle.system"
local units = require "lua.text.units"

local progress = {}
local methods = {}
local meta = { __index = methods }

function progress.new(title, steps)
  return setmetatable({ title = title, steps = steps or 1, at = 0, fraction = 0,
    start = system.now(), drawn = 0, note = "",
    on = system.terminal(2) or display.notebook ~= nil }, meta)
end

local function share(p)
  return math.min(1, (math.max(p.at - 1, 0) + p.fraction) / p.steps)
end

local function draw(p, at_once)
  local now = system.now()
  if not p.on or (not at_once and now - p.start < 1) or now - p.drawn < 0.1 then
    return
  end
  p.drawn = now
  local done = share(p)
  local filled = math.floor(done * 20)
  local left = done > 0.05 and (now - p.start) * (1 - done) / done or nil
  local text = ("%s [%s%s] %s%s"):format(p.title, ("█"):rep(filled),
    ("·"):rep(20 - filled), p.note,
    left and ", about " .. units.time(math.max(1, math.floor(left + 0.5)))
      .. " left" or "")
  text = units.cut(text, math.max(20, system.width() - 1))
  p.shown = true
  if display.notebook then
    p.place = p.place or display.notebook.progress()
    return p.place:show { ["text/plain"] = text }
  end
  io.stderr:write("\r\27[K", text)
  io.stderr:flush()
end

function methods:step(note, long)
  self.at, self.fraction, self.note = self.at + 1, 0, note or ""
  draw(self, long)
end

function methods:part(fraction)
  self.fraction = math.max(0, math.min(1, fraction))
  draw(self)
end

function methods:done()
  if self.place then
    self.place:show { ["text/plain"] = "" }
  elseif self.shown then
    io.stderr:write("\r\27[K")
    io.stderr:flush()
  end
  self.on = false
end

return progress
