-- model.lua - how MSL lays out its types, as a second opinion: sizes,
-- alignments and offsets from the specification's rules alone, and random
-- structs to ask about.
--
-- A type is { text, size, align, leaves }: 'leaves' are its scalars, each with
-- the expression that follows a value's name, its offset and its scalar type.
-- Of a union, a value has one field: leaves of the others are 'dropped'.
local model = {}

local scalars = { bool = 1, char = 1, uchar = 1, short = 2, ushort = 2, int = 4,
  uint = 4, long = 8, ulong = 8, float = 4, half = 2, bfloat = 2 }
local names = { "bool", "char", "uchar", "short", "ushort", "int", "uint",
  "long", "ulong", "float", "half", "bfloat" }

local function up(n, align) return (n + align - 1) // align * align end

function model.scalar(name)
  local size = scalars[name]
  return { text = name, size = size, align = size, scalar = name,
    leaves = { { path = "", offset = 0, scalar = name } } }
end

-- 'count' of 'element', one each 'stride' bytes
local function run(text, element, count, stride, size, align)
  local t = { text = text, size = size, align = align, leaves = {},
    element = element, count = count }
  for i = 0, count - 1 do
    for _, leaf in ipairs(element.leaves) do
      table.insert(t.leaves, { path = ("[%d]%s"):format(i, leaf.path),
        offset = i * stride + leaf.offset, scalar = leaf.scalar,
        enum = leaf.enum, dropped = leaf.dropped })
    end
  end
  return t
end

function model.vector(name, n)
  local e = model.scalar(name)
  local room = e.size * (n == 3 and 4 or n)
  return run(name .. n, e, n, e.size, room, room)
end

function model.packed(name, n)
  local e = model.scalar(name)
  return run("packed_" .. name .. n, e, n, e.size, n * e.size, e.size)
end

function model.matrix(name, columns, rows)
  local column = model.vector(name, rows)
  return run(("%s%dx%d"):format(name, columns, rows), column, columns,
    column.size, columns * column.size, column.align)
end

-- metal::array, or an array of C's, whose bound stands after the field's name
function model.array(element, n, metal)
  local t = run(element.text, element, n, element.size, n * element.size,
    element.align)
  if metal then t.text = ("array<%s, %d>"):format(element.text, n)
  else t.bound = ("[%d]%s"):format(n, element.bound or "") end
  return t
end

function model.enum(text, base)
  local t = model.scalar(base)
  t.text, t.leaves[1].enum = text, text
  return t
end

-- fields: { name, type, align (as in alignas) }, without a name an unnamed
-- union; how: 'packed', 'pack' (the number of #pragma pack), 'align' (alignas
-- of the struct), 'union' (the number of the field that a value has)
function model.struct(name, fields, how)
  local t = { text = name, fields = fields, how = how, leaves = {}, size = 0,
    align = 1 }
  for i, f in ipairs(fields) do
    if how.pack and not f.name then -- it stands inside the pragma, too
      f.type = model.struct("", f.type.fields, { pack = how.pack,
        union = f.type.how.union, inside = true })
    end
    local align = f.type.align
    if how.packed or f.packed then align = 1 end
    if how.pack then align = math.min(align, how.pack) end
    align = math.max(align, f.align or 1)
    f.offset = how.union and 0 or up(t.size, align)
    t.size = math.max(t.size, f.offset + f.type.size)
    t.align = math.max(t.align, align)
    for _, leaf in ipairs(f.type.leaves) do
      local dot = f.name and "." .. f.name or ""
      table.insert(t.leaves, { path = dot .. leaf.path,
        offset = f.offset + leaf.offset, scalar = leaf.scalar,
        enum = leaf.enum,
        dropped = leaf.dropped or how.union and how.union ~= i })
    end
  end
  t.align = math.max(t.align, how.align or 1)
  t.size = up(t.size, t.align)
  return t
end

local function declaration(f)
  if not f.name then return model.declare(f.type) end
  return ("  %s%s %s%s%s;\n"):format(
    f.align and ("alignas(%d) "):format(f.align) or "", f.type.text, f.name,
    f.type.bound or "", f.packed and " __attribute__((packed))" or "")
end

function model.declare(t)
  local how, lines = t.how, {}
  for _, f in ipairs(t.fields) do lines[#lines + 1] = declaration(f) end
  local text = ("%s%s%s %s {\n%s}%s;\n"):format( -- ("": without a name)
    how.union and "union" or "struct",
    how.align and (" alignas(%d)"):format(how.align) or "",
    how.packed == "before" and " __attribute__((packed))" or "", t.text,
    table.concat(lines),
    how.packed == "behind" and " __attribute__((packed))" or "")
  if not how.pack or how.inside then return text end
  return ("#pragma pack(push, %d)\n%s#pragma pack(pop)\n"):format(how.pack, text)
end

-- ------------------------------------------------------------------ values

-- what the declarations need before them
model.head = [=[
#include <metal_stdlib>
using namespace metal;
enum Small : uchar { small };
enum Plain : uint { plain };
]=]

local function half_bits(v)
  if v == 0 then return 0 end
  local exponent = math.floor(math.log(v, 2))
  return (exponent + 15 << 10) | math.tointeger((v / 2 ^ exponent - 1) * 1024)
end

local formats = { char = "<i1", uchar = "<I1", short = "<i2", ushort = "<I2",
  int = "<i4", uint = "<I4", long = "<i8", ulong = "<I8", float = "<f" }

local function bytes_of(scalar, v)
  if scalar == "bool" then return v and "\1" or "\0" end
  if scalar == "half" then return string.pack("<I2", half_bits(v)) end
  if scalar == "bfloat" then return string.pack("<f", v):sub(3) end
  return string.pack(formats[scalar], v)
end

-- The value of leaf 'number' of a struct, in tests.
function model.value(leaf, number)
  if leaf.scalar == "bool" then return number % 2 == 1 end
  return number * 7 % 100 + 1
end

-- The bytes of a value, as text; with 'all' after every leaf was written, one
-- after the other.
function model.image(type, all)
  local bytes_at = {}
  for i = 1, type.size do bytes_at[i] = 0 end
  for number, leaf in ipairs(type.leaves) do
    local bytes = bytes_of(leaf.scalar, model.value(leaf, number))
    if leaf.dropped and not all then bytes = "" end
    for i = 1, #bytes do bytes_at[leaf.offset + i] = bytes:byte(i) end
  end
  return table.concat(bytes_at, " ")
end

-- ---------------------------------------------------------------- at random

-- random(n) is a number below n
local function simple(random)
  local kind, name = random(8), names[random(#names) + 1]
  local n = 2 + random(3)
  if kind < 2 then return model.scalar(name) end
  if kind < 4 then return model.vector(name, n) end
  if kind == 4 and name ~= "bool" then return model.packed(name, n) end
  if kind == 5 then
    return model.matrix(random(2) == 0 and "float" or "half", n, 2 + random(3))
  end
  if kind == 6 then return model.enum("Small", "uchar") end
  if kind == 7 then return model.enum("Plain", "uint") end
  return model.scalar(name)
end

local unnamed_union

local function field(random, number, known)
  if random(12) == 0 then return { type = unnamed_union(random, number) } end
  local t = simple(random)
  if #known > 0 and random(5) == 0 then t = known[random(#known) + 1] end
  if random(5) == 0 then t = model.array(t, 1 + random(3), random(3) == 0) end
  if not t.text:find "^array" and random(12) == 0 then
    t = model.array(t, 1 + random(2))
  end
  local f = { name = "f" .. number, type = t }
  if random(8) == 0 then f.align = t.align << random(2) end
  if random(10) == 0 and not f.align then f.packed = true end
  return f
end

-- of fields whose names no other field of the struct has
function unnamed_union(random, number)
  local fields = {}
  for i = 1, 1 + random(3) do
    fields[i] = { name = ("f%du%d"):format(number, i), type = simple(random) }
  end
  return model.struct("", fields, { union = 1 + random(#fields) })
end

-- 'count' structs and unions, later ones with earlier ones in them
function model.structs(count, random)
  local all = {}
  for k = 1, count do
    local fields, how, kind = {}, {}, random(8)
    for number = 1, 1 + random(6) do
      fields[number] = field(random, number, all)
    end
    if kind < 2 then how.packed = kind == 0 and "before" or "behind"
    elseif kind == 2 then how.pack = 1 << random(3)
    elseif kind == 3 then
      how.align = 16 << random(2)
      for _, f in ipairs(fields) do
        how.align = math.max(how.align, f.type.align, f.align or 1)
      end
    end
    if random(5) == 0 then how.union = 1 + random(#fields) end
    -- alignas may not ask for less than what #pragma pack leaves
    if how.pack then for _, f in ipairs(fields) do f.align = nil end end
    all[k] = model.struct("S" .. k, fields, how)
  end
  return all
end

return model
