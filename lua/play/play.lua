-- play.lua - play "plasma.metal", play "life", play{k, …}: a kernel frame after
-- frame, in a window or the terminal.
--
-- play/scene.lua knows what is played, play/loop.lua how frame follows frame,
-- play/view.lua where they are shown.
local file = require "lua.session.user_file"
local sandbox = require "lua.session.sandbox"
local loop = require "lua.play.loop"
local progress = require "lua.session.progress"
local scene = require "lua.play.scene"
local system = require "mettle.system"
local style = require "lua.text.style"
local units = require "lua.text.units"
local view = require "lua.play.view"

local play = {}

local function raise(format, ...) error(format:format(...), 0) end

-- -------------------------------------------------------------- live examples

local function folder() return (system.data or ".") .. "/demos/live" end

-- The names of the live examples, sorted: for completion, too.
function play.names()
  local names, seen = {}, {}
  for _, file in ipairs(system.list(folder())) do
    local name = file:match "^(.+)%.metal$"
    if name and not seen[name] then
      names[#names + 1], seen[name] = name, true
    end
  end
  return names
end

-- The first line of the comment that a source begins with.
local function about(name)
  local f = io.open(("%s/%s.metal"):format(folder(), name))
  local line = f and f:read "l" or ""
  if f then f:close() end
  return (line:gsub("^//%s*", ""):gsub("^%S+%.metal %- ", ""))
end

local function list()
  print "Live examples:"
  for _, name in ipairs(play.names()) do
    print(("  play %-14s %s")
      :format(('"%s"'):format(name), style.dim(about(name))))
  end
  print('Copy one from demos/live and change it while it plays: '
    .. 'play "mine.metal"')
end

-- --------------------------------------------------------------------- sources

-- The file of that name here, or the live example: its script, if it has one.
local function find(name)
  local there = system.there(name)
  if there == "file" then return name end
  if not name:find "/" then
    for _, file in ipairs { name .. ".lua", name .. ".metal", name } do
      local path = ("%s/%s"):format(folder(), file)
      if system.there(path) == "file" and
        (file:match "%.lua$" or file:match "%.metal$") then
        return path
      end
    end
  end
  raise("there is no file '%s' here, and no live example of that name; "
    .. "play() lists them", name)
end

-- A script's table, with its .metal file beside it.
local function from_script(path)
  -- in a confined process a script sees what a lesson's code sees
  local chunk, why = load(file.read(path) or "", "@" .. path, "t",
    sandbox.is_confined and sandbox.env() or _G)
  if not chunk then error(why, 0) end
  local o = chunk()
  if type(o) ~= "table" then
    raise("%s must return a table, as play{…} takes it", path)
  end
  if type(o[1]) == "string" and not o[1]:find "[\n{;/]" then
    o[1] = (path:match "^(.*/)" or "") .. o[1]
  end
  return o
end

-- play's table from whatever it was called with; the paths of its files.
local function read(what, more)
  if type(what) == "userdata" then what = { what } end
  if type(what) == "string" then what = { what } end
  if type(what) ~= "table" then
    raise('play takes a file, the name of a live example, or a table: '
      .. 'play "plasma.metal", play "life", play{k, …}')
  end
  local o = {}
  for key, value in pairs(what) do o[key] = value end
  for key, value in pairs(more or {}) do o[key] = value end
  local path, script
  if type(o[1]) == "string" and not o[1]:find "[\n{;]" then
    path = find(o[1])
    if path:match "%.lua$" then
      script = path
      local from = from_script(script)
      for key, value in pairs(o) do if key ~= 1 then from[key] = value end end
      o, path = from, type(from[1]) == "string" and
        not from[1]:find "[\n{;]" and find(from[1]) or nil
    end
  end
  return o, path, script
end

-- ---------------------------------------------------------------------- saving

-- "life-1.png" and so on: the first name that is free.
local function free_name(title)
  local n = 0
  repeat
    n = n + 1
    local name = ("%s-%d.png"):format(title, n)
    if not system.there(name) then return name end
  until false
end

local function check(o)
  if o.frames ~= nil and (math.type(o.frames) ~= "integer" or o.frames < 1) then
    raise "frames is a number of pictures, as in frames = 120"
  end
  if o.fps ~= nil and (type(o.fps) ~= "number" or
    not (o.fps > 0 and o.fps <= 240)) then
    raise "fps is a number of frames a second, up to 240"
  end
  if o.range ~= nil and (type(o.range) ~= "table" or
    type(o.range[1]) ~= "number" or type(o.range[2]) ~= "number") then
    raise("range is the number that is shown darkest and the one that is shown "
      .. "brightest, as in range = {0, 1}")
  end
  if o.save ~= nil and (type(o.save) ~= "string" or not o.frames) then
    raise('save is a file for as many frames as are asked for: frames = 120, '
      .. 'save = "life.gif"')
  end
  for _, name in ipairs { "step", "start" } do
    if o[name] ~= nil and type(o[name]) ~= "function" then
      raise("%s is a function of the frame, "
        .. "as in %s = function(f) … end", name, name)
    end
  end
end

-- Takes every frame of the loop for the file 'o.save'; returns what ends it.
local function recorder(o, s, title)
  local fps = o.fps or (o.save:match "%.gif$" and 25 or 30)
  local film = require("mettle.animation").new(o.save, s.f.width, s.f.height,
    fps)
  local line = progress.new("play " .. title)
  line:step(o.save)
  return {
    step = 1 / fps,
    take = function(l)
      film:add(l.pixels)
      line:part(l.shown / o.frames)
    end,
    finish = function(good)
      line:done()
      return good and ("%s, %s"):format(o.save, units.bytes(film:finish()))
    end }
end

-- ---------------------------------------------------------------------- result

local result = {}
result.__index = result
result.__name = "play"

function result.__tostring(r)
  local text = ("%s in %s"):format(units.many(r.frames, "frame"),
    units.time(r.seconds))
  if r.frames > 0 then
    text = text .. (", %s a second; kernel %s a frame, %.0f%% of it")
      :format(units.three(r.fps), units.time(r.kernel), 100 * r.share)
  end
  return r.file and text .. "; " .. r.file or text
end

local function summary(l)
  local seconds = system.now() - l.began
  return setmetatable({ frames = l.shown, seconds = seconds,
    fps = l.shown / seconds,
    kernel = l.shown > 0 and l.kernel_time / l.shown or 0,
    share = l.kernel_time / seconds,
    picture = l.picture, state = l.scene.f }, result)
end

-- ------------------------------------------------------------------------ play

-- What would be played, at its first frame.
function play.scene(what, more)
  local o, path, script = read(what, more)
  check(o)
  return scene.open(o, path, script)
end

function play.play(what, more)
  if what == nil then return list() end
  local s = play.scene(what, more)
  local o, path, script = s.options, s.path, s.script
  local title = o.title or (path or "play"):match "([^/]*)$":gsub("%.%w+$", "")
  local v = view.open(o.view or (o.frames and "none") or nil, title, s.f.width,
    s.f.height)
  local film = o.save and recorder(o, s, title)
  local l = loop.new(s, v, { frames = o.frames, on_frame = film and film.take,
    step = film and film.step or (o.frames or o.fps) and 1 / (o.fps or 60),
    reopen = function() return play.scene(script) end,
    saver = function(pixels)
      local name = free_name(title)
      pixels:save(name)
      return name
    end })
  local ok, why = system.attempt(l.run, l)
  v:close()
  local file = film and film.finish(ok and l.shown == o.frames)
  if not ok and (why ~= "interrupted" or o.frames) then error(why, 0) end
  local r = summary(l)
  r.file = file or nil
  return r
end

return play
