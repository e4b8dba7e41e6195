-- arguments.lua - a kernel's arguments as words of the command line.
--
--   arguments.read("a=float[1000]:iota", makers)  adds one to what will be made
--   arguments.make(makers, k, seed)               the values by parameter's
--                                                 name
--
-- The words, NAME=VALUE:
--   float[1000]        a buffer, random contents; float[64,32] has 2048
--                      elements
--   float[1000]:zero   :zero :one :iota :undefined, :7 (all are 7), :-5..5
--   float[1000]@a.npy  or @a.npy alone: the contents of a file
--   threadgroup[1024]  bytes of threadgroup memory; float[256] is as good
--   rgba8unorm[64,32]  a texture, [64,32,3] with slices; sampler,
--                      sampler:linear
--   1000  0.5  true    a value
--   1,2,3  x:1,y:2     a vector or list, a struct; NAME.field=1 for one field
--   {1,2,{3,4}}        with braces too, where the shell does not split them
local types = require "mettle.types"

local arguments = {}

local function fail(...) error(string.format(...), 0) end

------------------------------------------------------------------ plain values

-- "true", "12", "-1e3", "0x10" as a value; nil if it is none of these.
local function scalar(word)
  if word == "true" then return true elseif word == "false" then
    return false end
  local v = tonumber((word:gsub("[uUfFhH]$", "", 1))) or tonumber(word)
  if not v then return nil end
  return math.tointeger(v) or v
end

-- {1, 2, {x: 3}}: from position 'at' on; the value and where it ends.
local function braces(text, at, whole)
  local t, next_index = {}, 1
  at = text:match("^{%s*()", at)
  while text:sub(at, at) ~= "}" do
    local name, behind = text:match("^\"?([%a_][%w_]*)\"?%s*[:=]%s*()", at)
    at = behind or at
    local v
    if text:sub(at, at) == "{" then
      v, at = braces(text, at, whole)
    else
      local word, after = text:match("^([^,{}]+)()", at)
      v = word and scalar((word:gsub("%s+$", "")))
      if v == nil then
        fail("'%s' cannot be read: write {1, 2, 3} or {x: 1, y: 2}", whole)
      end
      at = after
    end
    if name then
      t[name] = v
    else
      t[next_index], next_index = v, next_index + 1
    end
    at = text:match("^%s*,?%s*()", at)
    if at > #text then fail("'%s' has no closing brace", whole) end
  end
  return t, at + 1
end

----------------------------------------------------------------------- buffers

local function product(sides, whole)
  local n, list = 1, {}
  for side in sides:gmatch "[^,x*]+" do
    local v = math.tointeger(tonumber(side))
    if not v or v < 1 then
      fail("'%s': a length is a whole number of at least 1", whole)
    end
    n, list[#list + 1] = n * v, v
  end
  return n, list
end

-- 0, 1, 2, …, of vectors by component; types that end sooner start again.
local function iota(b)
  local kind = b.type:match "^packed_(%a+)%d$" or b.type:match "^(%a+)%d$"
    or b.type
  local all = kind ~= b.type and b:as(kind) or b
  local bits = 8 * types[kind].size
  if not types[kind].kind:find "[iu]" or bits > 16
    or #all <= 1 << (bits - 1) then
    return all:iota() and b
  end
  local low = types[kind].kind == "u" and 0 or -(1 << (bits - 1))
  for i = 0, #all - 1 do all[i] = (i - low) % (1 << bits) + low end
  return b
end

local function fill(b, how, seed, whole)
  local low, high = how:match "^(%-?[%d.]-[%d])%.%.(%-?[%d.e+]+)$"
  if how == "random" then return b:random(seed)
  elseif how == "zero" then return b
  elseif how == "one" then return b:fill(1)
  elseif how == "iota" then return iota(b)
  elseif how == "undefined" then return b:random(seed)
  elseif low then return b:random(seed, scalar(low), scalar(high))
  elseif tonumber(how) then return b:fill(scalar(how)) end
  fail(
    "'%s': contents are :zero, :one, :iota, :undefined, a number, LOW..HIGH, "
      .. "or @file.npy, not ':%s'", whole, how)
end

-- Elements of a struct of the source: bytes, each scalar in them filled as a
-- buffer of its type would be.
local function struct_buffer(spec, seed, param)
  local b = gpu.buffer("uchar", spec.count * param.size)
  if spec.fill == "zero" then return b end
  local views, values = {}, {}
  for _, scalar in ipairs(param.scalars) do
    local kind = scalar.type
    if not views[kind] then
      views[kind] = { at = b:as(kind), width = #gpu.buffer(kind, 1):as "uchar" }
      values[kind] =
        fill(gpu.buffer(kind, math.min(spec.count * #param.scalars, 65536)),
          spec.fill or "random",
        seed + #kind, spec.whole)
    end
  end
  local drawn = 0
  for element = 0, spec.count - 1 do
    for _, scalar in ipairs(param.scalars) do
      local view, from = views[scalar.type], values[scalar.type]
      view.at[(element * param.size + scalar.offset) // view.width] =
        from[drawn % #from]
      drawn = drawn + 1
    end
  end
  return b
end

-- NumPy's name of a scalar type; nil: it has none, or it is no scalar.
local function numpy(type_name)
  return types[type_name] and types[type_name].numpy
end

-- A file's elements are taken as they are, never turned into others.
local function hold_same(spec, has, wanted)
  if has == wanted then return end
  local how = numpy(wanted)
    and (": convert it with .astype('%s') first"):format(numpy(wanted)) or ""
  fail("'%s': the file holds %s, not %s%s", spec.whole, has, wanted, how)
end

local function file(spec, param)
  local from = gpu.load(spec.file)
  -- vectors are taken from numbers too; what does not fit is said at the launch
  if spec.name == param.name and numpy(param.type) and numpy(from.type) then
    hold_same(spec, from.type, param.type)
  end
  return from
end

local function buffer(spec, seed, param)
  if param and param.type == spec.type and param.scalars then
    if spec.file then
      fail(
        "'%s': a file holds numbers, not structs: leave the contents "
          .. "out, or give :zero", spec.whole)
    end
    return struct_buffer(spec, seed, param)
  end
  local name, count = spec.type:gsub("^atomic_", ""):gsub("^atomic<(%a+)>$",
    "%1"), spec.count
  -- a matrix is its columns
  local element, columns, rows = name:match "^(%a+)([234])x([234])$"
  if element == "float" or element == "half" then
    name, count = element .. rows, count * columns
  end
  local ok, b = pcall(gpu.buffer, name, count)
  if not ok then
    fail("'%s': %s", spec.whole,
      require "lua.workload.workload".plain(b):gsub("^[^:]+:%d+: ", ""))
  end
  if spec.file then
    local from = gpu.load(spec.file)
    hold_same(spec, from.type, name)
    if #from ~= #b then
      fail(
        "'%s': the file holds %d elements; leave %s[%d] out to take them all",
          spec.whole, #from, spec.type, spec.count)
    end
    return from
  end
  return fill(b, spec.fill or "random", seed, spec.whole)
end

-- The last of the sides is how many slices there are, if the kernel wants some.
local function texture(spec, seed, param)
  local kind, sides = (param.type or ""):match "^texture(%d)d_array", spec.sides
  local t
  if kind and #sides == tonumber(kind) + 1 then
    t = gpu.texture { format = spec.type, width = sides[1],
      height = kind == "2" and sides[2] or nil,
      layers = sides[#sides], kind = kind .. "d_array" }
  else
    t = gpu.texture(spec.type, table.unpack(sides))
  end
  if spec.fill == "zero" then return t end
  return t:write(t:read():random(seed))
end

------------------------------------------------------------------------ words

local formats = { r = true, rg = true, rgba = true, bgra = true }
local function is_format(name)
  local channels = name:match "^(%l+)%d+%l+$"
  return channels and formats[channels]
    and (name:find "norm$" or name:find "int$" or name:find "float$")
end

-- What NAME=VALUE asks for: { name, kind, … }.
local function parse(word)
  local name, value = word:match "^([%a_][%w_.]*)=(.+)$"
  if not name then
    fail("'%s': an argument is NAME=VALUE, as in --arg a=float[1000]", word)
  end
  local spec = { name = name, whole = word }
  if value:find "^{" then
    local v, at = braces(value, 1, word)
    if at <= #value then
      fail("'%s' has something after its closing brace", word)
    end
    spec.kind, spec.value = "value", v
  elseif value:find "^[%w_.+:=-]+,[%w_.+:=,-]+$"
    or value:find "^[%a_][%w_]*[:=][%d+-][%w_.+-]*$" then
    -- a shell splits {1,2}
    spec.kind, spec.value = "value", (braces("{" .. value .. "}", 1, word))
  elseif scalar(value) ~= nil then
    spec.kind, spec.value = "value", scalar(value)
  elseif value:find "^sampler" then
    spec.kind, spec.linear = "sampler", value:find "linear" ~= nil
  elseif value:find "^@" then
    spec.kind, spec.file = "file", value:sub(2)
  else
    local space, typed = value:match "^(threadgroup)[: ](.*)$"
    local kind, sides,
      rest = (typed or value):match "^([%a_][%w_<>]*)%[([%d,x*e]+)%](.*)$"
    if not kind then
      fail(
        "'%s' cannot be read: a buffer is float[1000], a number 1000, "
          .. "threadgroup memory threadgroup[1024]", word)
    end
    spec.type, spec.kind = kind, space or kind == "threadgroup"
      and "threadgroup" or is_format(kind) and "texture" or "buffer"
    spec.count, spec.sides = product(sides, word)
    spec.file, spec.fill = rest:match "^@(.+)$", rest:match "^:(.+)$"
    if rest ~= "" and not spec.file and not spec.fill then
      fail("'%s': after the length comes :zero, :iota, … or @file.npy", word)
    end
  end
  return spec
end

function arguments.read(word, specs) specs[#specs + 1] = parse(word) end

local function threadgroup_bytes(spec, param)
  if spec.type == "threadgroup" then return spec.count end
  if param.type == spec.type and param.size then
    return spec.count * param.size
  end
  local base, n = spec.type:gsub("^atomic_", ""):match "^(%a+)(%d?)$"
  local components = tonumber(n) or 1
  return spec.count * (types[base] and types[base].size or 4) * (
    components == 3 and 4 or components)
end

-- {64, {1, 2}} for a struct: its fields in their order.
local function named(v, param)
  if type(v) ~= "table" or not param.fields or #v == 0 then return v end
  local t = {}
  for i, part in ipairs(v) do
    if not param.fields[i] then
      fail("%s has %d fields, %d values were given", param.type, #param.fields,
        #v)
    end
    t[param.fields[i].name] = part
  end
  return t
end

local function with_field(values, path, v, whole)
  local name, field = path:match "^([^.]+)%.(.+)$"
  local t = values[name] or {}
  if type(t) ~= "table" then
    fail("'%s': %s is given as a whole already", whole, name)
  end
  values[name] = t
  while field:find "%." do
    local first, rest = field:match "^([^.]+)%.(.+)$"
    t[first] = t[first] or {}
    t, field = t[first], rest
  end
  t[field] = v
end

-- Random contents depend on the seed and on the argument's name, not on the
-- order in which arguments are given.
local function seed_of(name, seed)
  local v = seed
  for i = 1, #name do v = (v * 31 + name:byte(i)) % 2147483647 end
  return v
end

-- The values by the parameters' names, and which of them hold nothing yet.
function arguments.make(specs, k, seed)
  local values, undefined, params = {}, {}, {}
  for _, p in ipairs(k.params) do
    if p.kind ~= "builtin" then params[p.name] = p end
  end
  for _, spec in ipairs(specs) do
    local base = spec.name:match "^[^.]+"
    if not params[base] then
      local names = {}
      for _, p in ipairs(k.params) do
        if p.kind ~= "builtin" then names[#names + 1] = p.name end
      end
      fail("%s has no parameter '%s'; it has: %s", k.name, base,
        table.concat(names, ", "))
    end
    if values[spec.name] ~= nil then fail("'%s' is given twice", spec.name) end
    local v = spec.name == base and named(spec.value, params[base])
      or spec.value
    local shared = spec.kind == "buffer" and params[base].kind == "threadgroup"
    if shared then v = threadgroup_bytes(spec, params[base])
    elseif spec.kind == "buffer" then
      v = buffer(spec, seed_of(spec.name, seed), params[base])
    elseif spec.kind == "file" then v = file(spec, params[base])
    elseif spec.kind == "threadgroup" then
      v = threadgroup_bytes(spec, params[base])
    elseif spec.kind == "texture" then
      v = texture(spec, seed_of(spec.name, seed), params[base])
    elseif spec.kind == "sampler" then
      v = gpu.sampler { filter = spec.linear and "linear" or "nearest" } end
    if spec.name:find "%." then
      with_field(values, spec.name, v, spec.whole)
    else
      values[spec.name] = v
    end
    if spec.fill == "undefined" then undefined[#undefined + 1] = spec.name end
  end
  return values, undefined
end

return arguments
