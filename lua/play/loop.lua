-- loop.lua - frame after frame: keys, reloading, pace, what is shown.
--
-- A view has show(frame, top, bottom, number), poll() -> event or nil, close(),
-- and perhaps 'pace', frames a second (nil: as fast as it goes), and wants():
-- does it take a frame now? An event is that of mettle.window. Errors of the
-- kernel, a compile or a step end nothing: they stand over the last good
-- picture until the file is saved again.
local system = require "mettle.system"
local units = require "lua.text.units"

local loop = {}
local methods = {}
local meta = { __index = methods }

local LOOK = 0.2   -- seconds from one look at the files to the next
-- seconds that a key counts as down where only presses are told
local HOLD = 0.15
local NOTE = 2     -- seconds that a note stands there

-- 'frames': how many, nil for ever; 'step': seconds of a frame, nil as the
-- clock says.
function loop.new(scene, view, options)
  return setmetatable({ scene = scene, view = view, frames = options.frames,
    fixed = options.step, saver = options.saver,
    reopen = options.reopen, on_frame = options.on_frame,
    shown = 0, paused = false, held = {},
    rate = { count = 0, since = system.now(), spent = 0, own = 0 },
    looked = system.now(),
    kernel_time = 0, began = system.now() }, meta)
end

-- ---------------------------------------------------------------- what is told

-- Without what does not survive the wrapping of lines: the compiler's arrows.
-- The file is known: its name will do for its path.
local function tidy(message, path)
  local text = system.visible(tostring(message)):gsub("^[^\n]*%.lua:%d+: ", "",
    1)
  local folder = path and path:match "^.*/"
  if folder then
    text = ("\n" .. text):gsub("\n" .. folder:gsub("%p", "%%%0"), "\n"):sub(2)
  end
  local lines = {}
  for line in text:gmatch "[^\n]+" do
    local noise = line:match "^[%s~]*%^[%s~^]*$"
      or line:match "^%d+ errors? generated%.$"
    if not noise then lines[#lines + 1] = line end
    if #lines == 12 then break end
  end
  return table.concat(lines, "\n")
end

function methods:note(text)
  self.said, self.until_then = text, system.now() + NOTE
end

function methods:top()
  if self.said and system.now() > self.until_then then self.said = nil end
  if self.wrong and self.said then return self.wrong .. "\n" .. self.said end
  return self.wrong or self.said or ""
end

-- Twice a second: frames a second, the kernel's time, its share of a frame.
function methods:measure(now)
  local r = self.rate
  if now - r.since < 0.5 then return end
  local seconds = now - r.since
  if r.count > 0 then
    local each = r.spent / r.count
    self.fps, self.each, self.share, self.own = r.count / seconds, each,
      r.spent / seconds, r.own / r.count
    self.status = ("%.0f fps · kernel %s, %.0f%% of the frame"):format(self.fps,
      units.time(each), 100 * self.share)
  end
  self.rate = { count = 0, since = now, spent = 0, own = 0 }
end

function methods:bottom()
  local s = self.scene
  local text = self.wrong and "stopped" or self.paused and "paused" or
    self.status or ""
  if s.threads then
    local g = s:group_for { s.f.width, s.f.height }
    text = text .. (" · %d × %d"):format(g[1], g[2])
  end
  return text .. (s.quick and " · quick code" or "")
end

-- ------------------------------------------------------------------------ keys

local keys = {}
keys[" "] = function(l) l.paused = not l.paused end
keys["."] = function(l) l.paused, l.one = true, true end
keys.r = function(l)
  l.wrong = nil
  l:try(l.scene.restart, l.scene)
end
keys.q = function(l) l.over = true end
keys.escape, keys["\3"] = keys.q, keys.q
keys["["] = function(l) l:regroup(0.5) end
keys["]"] = function(l) l:regroup(2) end
keys.s = function(l)
  if not l.pixels then return end
  local ok, name = pcall(l.saver, l.pixels)
  l:note(ok and "saved " .. name or tidy(name))
end
keys.i = function(l) l.hidden = not l.hidden end

-- Half or twice as many threads in a group; back if the kernel does not take
-- that.
function methods:regroup(factor)
  local s = self.scene
  local info = s.main and s.infos[s.main]
  local most = info and info.kernel.max_threads or 1024
  local now = s.threads or (s.last and
    s.last.group[1] * s.last.group[2] * s.last.group[3]) or 256
  local power = 1 << math.floor(math.log(now, 2) + 0.5)
  local wanted =
    math.tointeger(math.max(1, math.min(most, power * factor)) // 1)
  self.before, s.threads = s.threads or false, wanted
  local g = s:group_for { s.f.width, s.f.height }
  self:note(("threadgroups of %d × %d"):format(g[1], g[2]))
end

local arrows = { left = true, right = true, up = true, down = true }

function methods:take(e)
  local f = self.scene.f
  if e.kind == "close" then self.over = true end
  if e.kind == "mouse" or e.kind == "wheel" then
    if e.x then f.mouse, f.buttons = { e.x, e.y }, e.buttons or f.buttons end
    f.wheel = f.wheel + (e.turned or 0)
  end
  if e.kind == "key_up" then
    f.down[e.key:lower()], self.held[e.key:lower()] = nil, nil
  end
  if e.kind ~= "key" then return end
  local key = #e.key == 1 and e.key:lower() or e.key
  f.down[key] = true
  self.held[key] = e.momentary and system.now() + HOLD or nil
  if keys[e.key] and not arrows[e.key] then keys[e.key](self) end
end

function methods:listen()
  local e = self.view:poll()
  while e do
    self:take(e)
    e = self.view:poll()
  end
  for key, till in pairs(self.held) do
    if system.now() > till then
      self.scene.f.down[key], self.held[key] = nil, nil
    end
  end
end

-- ---------------------------------------------------------------------- frames

-- Calls it; a failure is what stands over the picture from now on.
function methods:try(what, ...)
  local ok, result = pcall(what, ...)
  if ok then return result end
  if self.before ~= nil then -- the group was changed just now: go back
    self.scene.threads, self.before = self.before or nil, nil
    self:note(tidy(result))
    return nil
  end
  self.wrong = tidy(result, self.scene.path)
  return nil
end

-- Saved files take effect at once; a script changes everything, a kernel only
-- itself.
function methods:look(now)
  if now - self.looked < LOOK then return end
  self.looked = now
  local s = self.scene
  local ok, path = pcall(s.changed, s)
  if not ok or not path then return end
  self.wrong = nil
  if path == s.script then
    local fresh = self:try(self.reopen)
    if fresh then self.scene = fresh end
  elseif self:try(function() s:reload() return true end) then
    self:note "loaded again"
  end
end

function methods:advance(dt)
  local s = self.scene
  local f = s.f
  f.dt, f.keys = dt, 0
  local started = system.now()
  local picture = self:try(s.step, s)
  if not picture then return false end
  self.before = nil
  f.time = f.time + dt
  local pixels = self:try(s.pixels, s, picture, self.pixels)
  if not pixels then return false end
  self.pixels, self.picture = pixels, picture
  self.shown = self.shown + 1
  self.kernel_time = self.kernel_time + s.spent
  local r = self.rate
  r.count, r.spent, r.own = r.count + 1, r.spent + s.spent,
    r.own + system.now() - started - s.spent
  return true
end

function methods:show()
  if self.pixels then
    self.view:show(self.pixels, self:top(), self.hidden and "" or self:bottom(),
      self.shown)
  end
end

-- Until a person ends it, or all frames are there.
function methods:run()
  local last, due = system.now(), system.now()
  local pace = self.view.pace
  while true do
    local now = system.now()
    self:listen()
    if self.over then break end
    self:look(now)
    local wanted = not self.view.wants or self.view:wants()
    local ready = (not self.paused or self.one) and not self.wrong and wanted
    if ready then
      local dt = self.fixed or (self.one and 1 / 60) or
        math.min(now - last, 0.1)
      local good = self:advance(dt)
      if self.frames and not good and self.wrong then error(self.wrong, 0) end
      if good and self.on_frame then self.on_frame(self) end
    end
    if wanted then self.one, last = nil, now end
    self:show()
    self:measure(system.now())
    if self.frames and self.shown >= self.frames then break end
    if pace or not ready then
      due = math.max(due + 1 / (pace or 60), system.now() - 0.1)
      system.sleep(due - system.now())
    end
  end
end

return loop
