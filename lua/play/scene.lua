-- scene.lua - what is played: its kernels, its state, one frame of it.
--
-- The state is the table f that step and start get. A kernel's parameters are
-- bound by name: to what the launch gives, to what the call of play gave, to
-- fields of f, to values that play knows (roles.lua); a buffer or texture that
-- a kernel writes is made when it is first needed, and is a field of f from
-- then on. The kernel alone is the usual step: run it, swap the halves of its
-- state.
local file = require "lua.session.user_file"
local roles = require "lua.play.roles"

-- seconds that a launch may take, if nothing is said
local scene = { limit = 4 }
local methods = {}
local meta = { __index = methods }

local words = { kernel = true, size = true, group = true, grid = true,
  threadgroup = true, seed = true, start = true, step = true,
  picture = true, format = true, range = true, map = true, frames = true,
  fps = true, save = true, limit = true,
  view = true, title = true, defines = true, constants = true, math = true,
  include = true, set = true }
local known = { "run", "swap", "time", "dt", "frame", "width", "height", "size",
  "mouse", "buttons", "wheel", "keys", "down" }
local taken = {}
for _, name in ipairs(known) do taken[name] = true end

local function raise(format, ...) error(format:format(...), 0) end

-- ----------------------------------------------------------------- the kernels

local function is_text(s) return s:find "[\n{;]" ~= nil end

-- The file, and those beside it that it includes, with their text.
function methods:look()
  local files = {}
  local function add(path)
    if not path or files[path] then return end
    local ok, text = pcall(file.read, path)
    files[path] = ok and text or ""
    for name in files[path]:gmatch '#%s*include%s+"([^"\n]+)"' do
      add((path:match "^(.*/)" or "") .. name)
    end
  end
  add(self.path)
  if self.script then files[self.script] = file.read(self.script) or "" end
  return files
end

-- Has the text of one of them changed? A file that is missing for a moment,
-- while an editor replaces it, has not changed.
function methods:changed()
  local now, which = self:look(), nil
  for path, text in pairs(now) do
    if text ~= "" and text ~= self.files[path] then which = which or path end
    if text == "" then now[path] = self.files[path] end
  end
  if which then self.files = now end
  return which
end

local function compile_options(o)
  return { defines = o.defines, math = o.math, include = o.include }
end

local function described(k)
  local info = { kernel = k, params = {}, fill = {}, by_name = {} }
  for _, p in ipairs(k.params) do
    if p.kind ~= "builtin" then
      info.params[#info.params + 1] = p
      info.by_name[p.name] = p
      info.fill[p.name] = roles.value(p)
    end
  end
  return info
end

-- The kernel that is run each frame: the one that was asked for, the only one
-- beside 'seed', or the one that has the file's name.
local function main_of(names, o, path)
  if o.kernel then return o.kernel end
  local rest = {}
  for _, name in ipairs(names) do
    if name ~= "seed" then rest[#rest + 1] = name end
    if path and name == path:match "([^/]*)%.metal$" then return name end
  end
  if #rest == 1 then return rest[1] end
  if #rest == 0 then raise "there is no kernel to play in the source" end
  raise("the source has %d kernels (%s): say which is run each frame, "
    .. "as in kernel = \"%s\", or what is, by step = function(f) … end",
    #rest, table.concat(rest, ", "), rest[1])
end

-- Compiles all again; raises, and then the old kernels stay.
function methods:compile(source)
  local o, infos = self.options, {}
  if type(source) == "userdata" then
    infos[source.name] = described(source)
    self.infos, self.main = infos, source.name
  else
    local library = gpu.library(source, compile_options(o))
    local names = library:kernels()
    local main = not o.step and main_of(names, o, self.path)
    for _, name in ipairs(names) do
      local needed = o.step or name == main or name == "seed"
      infos[name] = needed and described(library:kernel(name, o.constants)) or
        nil
    end
    if main and not infos[main] then
      raise("there is no kernel '%s' in the source; it has: %s", main,
        table.concat(names, ", "))
    end
    self.infos, self.main = infos, main
  end
  self:find_roles()
end

-- A kernel that was compiled from a file is taken from the file again.
function methods:reload()
  if not self.from then return self:compile(self.path) end
  local options = self.from.options
  options.file = nil
  self:compile(gpu.kernel(self.path, options))
end

-- ------------------------------------------------------------------- the roles

function methods:find_roles()
  local all, writers = {}, {}
  for _, info in pairs(self.infos) do
    for _, p in ipairs(info.params) do
      if not all[p.name] then all[#all + 1] = p end
      all[p.name] = all[p.name] or p
      writers[p.name] = writers[p.name] or roles.writes(p)
    end
  end
  table.sort(all, function(a, b) return a.name < b.name end)
  local main = self.main and self.infos[self.main]
  self.all, self.pairs = all, roles.pairs(main and main.params or all)
  for _, pair in ipairs(self.pairs) do writers[pair[1]] = true end
  self.writers = writers
  self:find_picture(main)
  self:check_words()
end

function methods:find_picture(main)
  local o = self.options
  if o.picture ~= nil then
    -- given itself
    if type(o.picture) ~= "string" then self.shown = "picture" return end
    self.shown = o.picture
    if main and not main.by_name[o.picture] then
      raise("%s has no parameter '%s' to be the picture", self.main, o.picture)
    end
    return
  end
  local name, why = roles.picture(main and main.params or self.all, self.main or
    "the step")
  if not name and main then error(why, 0) end
  self.shown = name or "picture"
end

function methods:check_words()
  for key in pairs(self.options) do
    if type(key) == "string" and not words[key] and not self.all[key] then
      local names = {}
      for name in pairs(words) do names[#names + 1] = name end
      table.sort(names)
      raise("'%s' is neither a parameter of the kernel nor a word of "
        .. "play, which are %s", key, table.concat(names, ", "))
    end
  end
  local set = self.options.set
  if set ~= nil and type(set) ~= "table" then
    raise("set is a table of values for the kernel's parameters, "
      .. "as in set = {view = {0, 0, 1}}")
  end
  for key in pairs(set or {}) do
    if not self.all[key] then
      raise("set: there is no parameter '%s'", tostring(key))
    end
  end
end

-- ------------------------------------------------------------------- the state

-- The field of f for a parameter that a kernel writes, made if it is not there
-- or is of another type than the kernel, changed since, takes.
function methods:state(p)
  local f, made = self.f, self.made[p.name]
  local sign = p.kind .. " " .. p.type
  if f[p.name] ~= nil and (not made or made == sign) then return f[p.name] end
  local o, partner = self.options, nil
  for _, pair in ipairs(self.pairs) do
    partner = partner or pair[1] == p.name or pair[2] == p.name
  end
  local format = type(o.format) == "table" and o.format[p.name] or
    type(o.format) == "string" and o.format or nil
  f[p.name] = roles.make(p, f.width, f.height, format, p.name == self.shown and
    not partner)
  self.made[p.name] = sign
  return f[p.name]
end

local function needs_value(info, p)
  local how = words[p.name] and "set = {%s = …}" or "%s = …"
  raise("%s needs '%s' (%s): give it, as in %s%s", info.kernel.name, p.name,
    p.text, how:format(p.name),
    roles.is_state(p) and "" or "; what play fills in by itself is "
      .. table.concat(roles.names(), ", "))
end

-- What the call of play gave for the parameter of that name. Words of play are
-- its own (view = "window"); 'set' gives a parameter of such a name.
function methods:given(name)
  local o = self.options
  local value = o.set and o.set[name]
  if value == nil and not words[name] then value = o[name] end
  if value == nil and name == "picture" and type(o.picture) ~= "string" then
    value = o.picture
  end
  if value == nil then value = self.positions[name] end
  return value
end

-- What the parameter is bound to.
function methods:bound(info, p, args)
  local f = self.f
  if args and args[p.name] ~= nil then return args[p.name] end
  local given = self:given(p.name)
  if type(given) == "function" then given = given(f) end
  if given ~= nil and self.swapped[p.name] == nil then return given end
  if not taken[p.name] and f[p.name] ~= nil and not self.made[p.name] then
    return f[p.name]
  end
  local fill = info.fill[p.name]
  if fill then return fill(f) end
  if roles.is_state(p) and self.writers[p.name] then return self:state(p) end
  needs_value(info, p)
end

-- k{…} with everything that is known by name.
function methods:launch(what, args)
  local info = type(what) == "string" and self.infos[what] or
    type(what) == "userdata" and (self.others[what] or described(what))
  if not info then
    raise("there is no kernel '%s' in the source", tostring(what))
  end
  if type(what) == "userdata" then self.others[what] = info end
  local f, launch = self.f, {}
  for key, value in pairs(args or {}) do launch[key] = value end
  for _, p in ipairs(info.params) do
    if roles.is_state(p) or p.kind == "buffer" then
      launch[p.name] = self:bound(info, p, args)
    end
    if p.kind == "sampler" then
      launch[p.name] = launch[p.name] or self:given(p.name) or
        gpu.sampler { filter = "linear" }
    end
  end
  local o = self.options
  if not launch.grid and not launch.groups then
    launch.grid = o.grid or { f.width, f.height }
  end
  launch.group = launch.group or self:group_for(launch.grid)
  launch.limit = launch.limit or o.limit or scene.limit
  if not launch.threadgroup and info.kernel.name == self.main then
    launch.threadgroup = o.threadgroup
  end
  local r = self:call(info.kernel, launch)
  self.spent = self.spent + r.time
  self.quick = self.quick or r.quick
  self.last = r
  return r
end

function methods:call(kernel, launch) return kernel(launch) end

-- Threads of a group as the person asked for, square for a picture.
function methods:group_for(grid)
  if not self.threads then return self.options.group end
  if type(grid) ~= "table" or not grid[2] then return self.threads end
  local n = math.tointeger(math.log(self.threads, 2) // 1)
  return { 1 << (n - n // 2), 1 << n // 2 }
end

-- --------------------------------------------------------------------- a frame

local function pixels_of(object, f)
  if roles.is_texture(object) then return object.width, object.height end
  local shape = object.shape
  if #shape == 1 then return f.width, f.height end
  return shape[2], shape[1]
end

local function given_size(o)
  local s = o.size or 512
  local w, h = s, s
  if type(s) == "table" then w, h = s[1], s[2] end
  if math.type(w) ~= "integer" or math.type(h) ~= "integer" or w < 1 or h < 1 or
    w > 16384 or h > 16384 then
    raise("size is a number of pixels or a width and a height, "
      .. "as in size = {640, 480}")
  end
  return w, h
end

function methods:swap(a, b)
  local f = self.f
  if b then
    if f[a] == nil or f[b] == nil then
      raise("'%s' and '%s' cannot be swapped: one of them is not there", a, b)
    end
    f[a], f[b] = f[b], f[a]
  else
    for _, pair in ipairs(self.pairs) do self:swap(pair[1], pair[2]) end
  end
end

-- Both halves of every state, so that they can be filled and swapped.
function methods:make_pairs()
  for _, pair in ipairs(self.pairs) do
    for _, name in ipairs(pair) do
      local p = self.all[name]
      local given = self:given(name)
      if given ~= nil and type(given) ~= "function" then
        self.f[name], self.made[name], self.swapped[name] = given, nil, true
      end
      self:state(p)
    end
  end
end

function methods:seed()
  local o, f = self.options, self.f
  local first = self.pairs[1] and self.pairs[1][1] or self.shown
  local list = type(o.seed) == "table" and o.seed or o.seed ~= nil and
    { [first] = o.seed } or {}
  for name, what in pairs(list) do
    local p = self.all[name]
    if not p or not roles.is_state(p) then
      raise("seed: there is no state '%s'", tostring(name))
    end
    roles.fill(p, self:state(p), what, f.width, f.height)
  end
  local seed = self.infos.seed
  if o.seed ~= nil or not seed or self.main == "seed" then return end
  self:launch "seed"
  for _, pair in ipairs(self.pairs) do
    if seed.by_name[pair[2]] and not seed.by_name[pair[1]] then
      self:swap(pair[1], pair[2])
    end
  end
end

-- From the beginning: frame 0, fresh state.
function methods:restart()
  local o = self.options
  local width, height = given_size(o)
  local picture = type(o.picture) == "userdata" and o.picture or
    self.positions[self.shown] or
    (o[self.shown] and o[self.shown] ~= o.picture and o[self.shown])
  self.f = { time = 0.0, dt = 1 / 60, frame = 0,
    mouse = { width / 2, height / 2 }, buttons = 0, wheel = 0.0, keys = 0,
    down = {},
    width = width, height = height, size = { width, height } }
  local f = self.f
  if type(picture) == "userdata" and not o.size then
    f.width, f.height = pixels_of(picture, f)
    f.size = { f.width, f.height }
  end
  f.run = function(what, args) return self:launch(what, args) end
  f.swap = function(a, b) return self:swap(a, b) end
  self.made, self.spent, self.quick, self.swapped = {}, 0, false, {}
  self:make_pairs()
  self:seed()
  if o.start then o.start(f) end
end

-- One frame; returns the texture or buffer that is the picture.
function methods:step()
  local o, f = self.options, self.f
  self.spent, self.quick = 0, false
  local picture
  if o.step then
    o.step(f)
    picture = f[self.shown]
  else
    self:launch(self.main)
    local given = self:given(self.shown)
    picture = f[self.shown] or (type(given) == "userdata" and given)
      or type(o.picture) == "userdata" and o.picture
    self:swap()
  end
  if type(picture) ~= "userdata" then
    raise("there is no picture to show: step leaves it in f.picture, "
      .. "a texture or a buffer")
  end
  f.frame = f.frame + 1
  return picture
end

-- The picture's pixels in 'frame', or in a new one where the size differs.
function methods:pixels(picture, frame)
  local o = self.options
  local range = o.range or {}
  local w, h = pixels_of(picture, self.f)
  if not frame or frame.width ~= w or frame.height ~= h then
    frame = require("mettle.frame").new(w, h)
  end
  return frame:take(picture, range[1], range[2], o.map)
end

-- ------------------------------------------------------------------------ open

-- 'o' is play's table; 'path' the file, if there is one, 'script' the Lua file
-- that returned the table.
function scene.open(o, path, script)
  local s = setmetatable({ options = o, path = path, script = script,
    positions = {}, others = {}, threads = nil }, meta)
  local source = o[1]
  if type(source) == "userdata" then
    local from = source.options.file
    if from and file.read(from) then s.path, s.from = from, source end
  elseif not path and (type(source) ~= "string" or not is_text(source)) then
    raise("play{…} begins with a kernel, a source or a file, "
      .. "as in play{\"plasma.metal\", size = 256}")
  end
  s.files = s:look()
  s:compile(type(source) == "userdata" and source or path or source)
  local main = s.main and s.infos[s.main]
  for i = 2, #o do
    local p = main and main.params[i - 1]
    if not p then
      raise("%s takes %d arguments, got %d", s.main or "a step", main
        and #main.params or 0, #o - 1)
    end
    s.positions[p.name] = o[i]
  end
  s:restart()
  return s
end

return scene
