-- test_layout.lua - the layout of structs, beside the model of tests/layout:
-- random ones, packed, with alignas, nested, of arrays, vectors, matrices,
-- bools and enums. What a kernel says of sizes and offsets, what it writes to a
-- buffer, and what it reads from a table that was passed are the same.
-- METTLE_TESTS=all tries many more.
local t = dofile "tests/tap.lua"
local model = dofile "tests/layout/model.lua"
t.compiler("layouts of structs")

local head = [=[
#include <metal_stdlib>
using namespace metal;
enum Small : uchar { small };
enum Plain : uint { plain };
]=]

-- A generator of its own, so that the structs are the same everywhere.
local state = 12345
local function random(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return state // 65536 % n
end

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

-- The value of leaf 'number' of a struct.
local function value(leaf, number)
  if leaf.scalar == "bool" then return number % 2 == 1 end
  return number * 7 % 100 + 1
end

-- What a table for the type holds, with the values of its leaves in order.
local function filled(type, take)
  if type.fields then
    local all = {}
    for _, f in ipairs(type.fields) do all[f.name] = filled(f.type, take) end
    return all
  elseif type.count then
    local all = {}
    for i = 1, type.count do all[i] = filled(type.element, take) end
    return all
  end
  return take()
end

local function table_of(type)
  local number = 0
  return filled(type, function()
    number = number + 1
    return value(type.leaves[number], number)
  end)
end

local function expected(type)
  local image = {}
  for i = 1, type.size do image[i] = 0 end
  for number, leaf in ipairs(type.leaves) do
    local bytes = bytes_of(leaf.scalar, value(leaf, number))
    for i = 1, #bytes do image[leaf.offset + i] = bytes:byte(i) end
  end
  return table.concat(image, " ")
end

-- asked: sizes and offsets; written: every leaf; given: a table's bytes
local function source(structs, first)
  local text = { head }
  for k = 1, #structs do text[#text + 1] = model.declare(structs[k]) end
  local asked, written, given, parameters, tables = {}, {}, {}, {}, {}
  for k = first, #structs do
    local s = structs[k]
    local n = k - first
    asked[#asked + 1] = ("  o[%d] = sizeof(%s); o[%d] = alignof(%s);"):format(
      32 * n, s.text, 32 * n + 1, s.text)
    asked[#asked + 1] = ("  device %s *p%d = (device %s *)(o + 1024);"):format(
      s.text, n, s.text)
    for i, f in ipairs(s.fields) do
      asked[#asked + 1] = ("  o[%d] = (device uchar *)&p%d->%s - (device uchar *)p%d;")
        :format(32 * n + 1 + i, n, f.name, n)
    end
    for number, leaf in ipairs(s.leaves) do
      local v = tostring(value(leaf, number))
      written[#written + 1] = ("  s%d%s = (%s)%s;"):format(n, leaf.path,
        leaf.enum or leaf.scalar, v)
    end
    parameters[#parameters + 1] = ("device %s &s%d"):format(s.text, n)
    tables[#tables + 1] = ("constant %s &s%d"):format(s.text, n)
    given[#given + 1] = ("  for (uint i = 0; i < sizeof(%s); i++) o[%d + i] = ((constant uchar *)&s%d)[i];")
      :format(s.text, 1024 * n, n)
  end
  local function kernel(name, list, body)
    text[#text + 1] = ("kernel void %s(%s) {\n%s\n}\n"):format(name, list, table.concat(body, "\n"))
  end
  kernel("asked", "device uint *o", asked)
  kernel("written", table.concat(parameters, ", "), written)
  kernel("given", "device uchar *o, " .. table.concat(tables, ", "), given)
  return table.concat(text)
end

local function image(buffer, from, size)
  local all = {}
  for i = 1, size do all[i] = buffer[from + i - 1] end
  return table.concat(all, " ")
end

-- those of 'structs' from 'first' on; returns what is wrong
local function wrong(structs, first)
  local library = gpu.library(source(structs, first))
  local bad, asked = {}, gpu.buffer("uint", 4096)
  local function see(what, s, got, want)
    if got ~= want then
      bad[#bad + 1] = ("%s: %s is %s, not %s\n%s"):format(s.text, what, got,
        want, model.declare(s))
    end
  end
  library.asked { asked, grid = 1 }
  local buffers, tables = {}, {}
  for k = first, #structs do
    local s, n = structs[k], k - first
    see("its size", s, asked[32 * n], s.size)
    see("its alignment", s, asked[32 * n + 1], s.align)
    for i, f in ipairs(s.fields) do
      see("the offset of " .. f.name, s, asked[32 * n + 1 + i], f.offset)
    end
    buffers[n + 1] = gpu.buffer("uchar", s.size)
    tables[n + 1] = table_of(s)
  end
  if #bad > 0 then return bad end
  library.written(table.move(buffers, 1, #buffers, 1, { grid = 1 }))
  local out = gpu.buffer("uchar", 1024 * #tables)
  library.given(table.move(tables, 1, #tables, 2, { out, grid = 1 }))
  for k = first, #structs do
    local s, n = structs[k], k - first
    local want = expected(s)
    see("what a kernel writes", s, image(buffers[n + 1], 0, s.size), want)
    see("a table's bytes", s, image(out, 1024 * n, s.size), want)
  end
  return bad
end

local rounds = tonumber(os.getenv "METTLE_LAYOUTS")
  or os.getenv "METTLE_TESTS" == "all" and 100 or 4
for round = 1, rounds do
  t.test(("random structs, round %d"):format(round), function()
    -- of one batch, whose structs name each other; no image is longer than a
    -- table's room in 'given'
    local structs
    repeat
      structs = {}
      for _, s in ipairs(model.structs(10, random)) do
        if s.size > 1000 then break end
        structs[#structs + 1] = s
      end
    until #structs >= 6
    t.equal(table.concat(wrong(structs, 1), "\n"), "")
  end)
end

local function sizes(text)
  local k = gpu.kernel(head .. text .. "\nkernel void sizes(device uint *o) { o[0] = sizeof(S); o[1] = alignof(S); }")
  local o = gpu.buffer("uint", 2)
  k { o, grid = 1 }
  return o[0] .. " " .. o[1]
end

t.test("packed structs of the library's classes", function()
  local function packed(fields) return sizes("struct __attribute__((packed)) S { uchar c; " .. fields .. " };") end
  t.equal(packed "packed_float3 v;", "13 1")
  t.equal(packed "float3x3 v;", "49 1")
  t.equal(packed "float3 v;", "17 1")
  t.equal(packed "bool3 v;", "5 1")
  t.equal(packed "array<float, 3> v;", "13 1")
  t.equal(packed "atomic_uint v;", "5 1")
  t.equal(sizes "struct S { uchar c; packed_half3 v; } __attribute__((packed));", "7 1")
  t.equal(sizes "#pragma pack(push, 1)\nstruct S { uchar c; half4x4 v; };\n#pragma pack(pop)", "33 1")
  t.equal(sizes "struct I { uchar a; float b; };\nstruct __attribute__((packed)) S { uchar c; I v; };", "9 1")
end)

-- Fields that are not aligned are read and written through the library's own
-- functions.
t.test("matrices and packed vectors that are not aligned", function()
  local text = head .. [=[
struct __attribute__((packed)) S { uchar c; float3x3 m; packed_float3 v; half2x2 h; };
kernel void move(device S *s, device float *o, uint i [[thread_position_in_grid]]) {
  float3x3 m = s[i].m;
  o[4 * i] = s[i].m[1].y + m[1].y;
  s[i].m[2] = float3(i, 2, 3) * s[i].m;
  s[i].v += s[i].m[2];
  s[i].m[0][1] = 9;
  s[i].h = half2x2(2);
  o[4 * i + 1] = s[i].v.x;
  o[4 * i + 2] = dot(float3(s[i].v), s[i].m[0]);
  o[4 * i + 3] = s[i].h[1][1];
}]=]
  local k, n = gpu.kernel(text), 67
  local size = 1 + 48 + 12 + 8
  local function run(launch)
    local s, o = gpu.buffer("uchar", n * size), gpu.buffer("float", 4 * n)
    for i = 0, n - 1 do
      for at = 0, 14 do
        local bytes = string.pack("<f", 1)
        local column, row = at // 4, at % 4
        local offset = i * size + 1 + 16 * column + 4 * row
        if column < 3 and row < 3 then
          for b = 1, 4 do s[offset + b - 1] = bytes:byte(b) end
        end
      end
    end
    launch { k, s, o, grid = n }
    for i = 0, n - 1 do
      t.equal(o[4 * i], 2)
      t.equal(o[4 * i + 1], i + 5)
      t.equal(o[4 * i + 2], 11 * (i + 5))
      t.equal(o[4 * i + 3], 2)
    end
  end
  run(function(call) call[1] { call[2], call[3], grid = call.grid } end)
  if gpu.device.name == "host" then
    run(function(call)
      call.inplace, call.outputs = true, {}
      local r = check(call)
      t.ok(r.ok, tostring(r))
    end)
  end
end)

t.test("a table for bit-fields is refused", function()
  local k = gpu.kernel "struct S { uint a : 3; uint b : 5; };\nkernel void f(constant S &s, device uint *o) { o[0] = s.a; o[1] = s.b; }"
  local ok, why = pcall(k, { { a = 2, b = 3 }, gpu.buffer("uint", 2),
    grid = 1 })
  t.ok(not ok, "it is accepted")
  t.has(why, "bit-field")
end)

t.done()
