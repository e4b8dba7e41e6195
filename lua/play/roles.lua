-- roles.lua - what the parameters of a kernel that is played are for.
--
-- Names decide. time, frame, mouse and others are values that play knows; two
-- buffers or textures of one type whose names differ in a word of 'partners',
-- such as previous and next, are the two halves of a state; the picture is what
-- the kernel writes.
local types = require "mettle.types"
local roles = {}

-- Each is a list of numbers; how many of them a kernel gets is up to its type.
local values = {
  time = function(f) return f.time end,
  dt = function(f) return f.dt end,
  frame = function(f) return f.frame end,
  mouse = function(f)
    return f.mouse[1], f.mouse[2], f.buttons & 1, f.buttons >> 2 & 1
  end,
  buttons = function(f) return f.buttons end,
  wheel = function(f) return f.wheel end,
  size = function(f) return f.width, f.height end,
  width = function(f) return f.width end,
  height = function(f) return f.height end,
  keys = function(f)
    return f.down.left and 1 or 0, f.down.right and 1 or 0,
      f.down.up and 1 or 0, f.down.down and 1 or 0
  end,
}
values.resolution = values.size

local partners = { previous = "next", prev = "next", from = "to",
  ["in"] = "out", input = "output", old = "new",
  before = "after", source = "destination", src = "dst", read = "write",
  current = "next", now = "next" }

local pictures = { "picture", "image", "screen", "canvas", "pixels", "texture",
  "colour", "color", "out", "output", "next", "to" }

-- The names that are filled in, for messages.
function roles.names()
  local names = {}
  for name in pairs(values) do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- "packed_float3" -> the scalar type of a float, 3; nil if it is none.
local function parts(type)
  local name, n = type:gsub("^packed_", ""):match "^(%a+)(%d?)$"
  return types[name], tonumber(n) or 1
end

local function is_whole(scalar) return scalar.kind:find "[iu]" ~= nil end

-- Keys as one number: a bit for each.
local function mask(list)
  local bits = 0
  for i, v in ipairs(list) do bits = bits | v << (i - 1) end
  return bits
end

-- A function of the frame that gives the value of the parameter, or nil.
function roles.value(p)
  local what = values[p.name]
  if p.kind ~= "buffer" or not p.const or not what then return nil end
  local scalar, n = parts(p.type)
  if not scalar or scalar.kind == "b" then return nil end
  return function(f)
    local list = { what(f) }
    if n == 1 and p.name == "keys" then list = { mask(list) } end
    for i = 1, n do
      local v = list[i] or 0
      list[i] = is_whole(scalar) and math.floor(v) or v
    end
    local value = n == 1 and list[1] or table.move(list, 1, n, 1, {})
    return p.reference and value or { value }
  end
end

-- Is this object a texture? Otherwise it is a buffer.
function roles.is_texture(object)
  local meta = getmetatable(object)
  return type(meta) == "table" and meta.__name == "texture"
end

function roles.is_state(p)
  return p.kind == "texture" or (p.kind == "buffer" and not p.reference)
end

-- May the kernel write it? By declaration: what it does may change with the
-- next edit of its source.
function roles.writes(p) return roles.is_state(p) and not p.const end

-- The words of a name: "cellsIn" and "cells_in" are both cells, in.
local function words(name)
  local list = {}
  for part in name:gsub("(%l)(%u)", "%1_%2"):gmatch "[^_]+" do
    list[#list + 1] = part:lower()
  end
  return list
end

-- The pairs among the parameters: a list of {name that is read, name that is
-- written}.
function roles.pairs(params)
  local by_words, found = {}, {}
  for _, p in ipairs(params) do
    if roles.is_state(p) then by_words[table.concat(words(p.name), "_")] = p end
  end
  for _, p in ipairs(params) do
    local list = roles.is_state(p) and words(p.name) or {}
    for i, word in ipairs(list) do
      list[i] = partners[word] or word
      local q = partners[word] and by_words[table.concat(list, "_")]
      if q and q ~= p and q.kind == p.kind and q.type == p.type and
        roles.writes(q) then
        found[#found + 1] = { p.name, q.name }
      end
      list[i] = word
    end
  end
  return found
end

-- Can this be shown? Numbers, and vectors of two to four.
function roles.is_picture(p)
  if not roles.writes(p) then return false end
  if p.kind == "texture" then return p.type:match "^texture2d<" ~= nil end
  return parts(p.type) ~= nil
end

local function choose(list)
  for _, name in ipairs(pictures) do
    for _, p in ipairs(list) do
      if p.name:lower() == name then return p end
    end
  end
  return #list == 1 and list[1] or nil
end

-- The parameters that the kernel's code writes; if it writes none yet, those
-- that it may write.
local function written_now(params)
  local now, may = {}, {}
  for _, p in ipairs(params) do
    if roles.writes(p) then
      may[#may + 1] = p
      if p.access:find "write" then now[#now + 1] = p end
    end
  end
  return #now > 0 and now or may
end

-- The name of the parameter that is the picture; nil and a sentence if none is.
function roles.picture(params, kernel)
  local textures, buffers, written = {}, {}, {}
  for _, p in ipairs(written_now(params)) do
    if roles.is_picture(p) then
      table.insert(p.kind == "texture" and textures or buffers, p)
    end
    written[#written + 1] = p.name
  end
  local p = choose(textures) or (#textures == 0 and choose(buffers))
  if not p and #textures + #buffers > 1 then -- the new half of a state
    local halves = roles.pairs(params)
    if #halves == 1 then return halves[1][2] end
  end
  if p then return p.name end
  if #textures + #buffers > 1 then
    return nil, ("%s writes %s: say which is the picture, "
      .. "as in picture = \"%s\""):format(kernel,
      table.concat(written, ", "), (textures[1] or buffers[1]).name)
  end
  return nil, ("%s has no picture to show: it needs a texture2d with "
    .. "access::write, or a buffer of uchar4, float4 or float that it writes%s")
    :format(kernel, #written > 0 and "; it writes " ..
      table.concat(written, ", ") or "")
end

-- ------------------------------------------------------------------- making

local formats = { float = "rgba32float", half = "rgba16float", uint = "r8uint",
  ushort = "r16uint", int = "r32sint", short = "r32sint" }

-- A texture or buffer for the parameter. What only the picture is needs no more
-- than eight bits; a state keeps what is written.
function roles.make(p, width, height, format, only_shown)
  if p.kind == "texture" then
    local element = p.type:match "^texture2d<(%a+)>"
    if not element then
      error(("'%s' is a %s: play makes texture2d; make it yourself, in start, "
        .. "or give it, %s = …"):format(p.name, p.type, p.name), 0)
    end
    local flat = only_shown and (element == "float" or element == "half")
    return gpu.texture(format or (flat and "rgba8unorm") or formats[element],
      width, height)
  end
  if not parts(p.type) then
    error(("'%s' is of %s, which play cannot make: make it yourself, in start, "
      .. "or give it, %s = …"):format(p.name, p.type, p.name), 0)
  end
  return gpu.buffer(p.type, height, width)
end

-- The value of each pixel by 'what': a function of x and y, a buffer, or one
-- value.
local function fill_buffer(b, what, width, height)
  if type(what) ~= "function" then return b:fill(what) end
  return b:fill(function(row, column)
    local v = table.pack(what(column, row, width, height))
    return v.n > 1 and v or v[1]
  end)
end

-- Components of textures stand in the last of three dimensions.
local function fill_texture(t, what, width, height)
  local b = t:read()
  if type(what) ~= "function" then
    return t:write(type(what) == "userdata" and what or b:fill(what))
  end
  local last, x0, y0
  local one = #b.shape == 2
  b:fill(function(row, column, channel)
    if one then return (what(column, row, width, height)) end
    if row ~= y0 or column ~= x0 then
      last, x0, y0 = table.pack(what(column, row, width, height)), column, row
    end
    return last[channel + 1] or 0
  end)
  return t:write(b)
end

function roles.fill(p, object, what, width, height)
  local is_texture = p.kind == "texture"
  if type(what) == "userdata" and what == object then return end
  if is_texture and roles.is_texture(what) then what = what:read() end
  if is_texture then
    fill_texture(object, what, width, height)
  else
    fill_buffer(object, what, width, height)
  end
end

return roles
