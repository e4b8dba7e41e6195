-- test_layout.lua - the layout of structs, beside the model of tests/layout:
-- random ones, packed, with alignas, nested, of arrays, vectors, matrices,
-- bools, enums and unions. What a kernel says of sizes and offsets, what it
-- writes to a buffer, and what it reads from a table that was passed are the
-- same. METTLE_TESTS=all tries many more.
--
-- Guards: msl/types.c, msl/passes/packed.c, the command line of Clang: sizes,
-- alignments and offsets of random structs (packed, alignas, #pragma pack,
-- nested, arrays, vectors, matrices, bools, enums, unions) beside a model of
-- MSL's rules (tests/layout): what a kernel says, what it writes to a buffer,
-- the bytes of a table that was passed. METTLE_TESTS=all tries a thousand,
-- METTLE_LAYOUTS=n so many rounds of ten
local t = dofile "tests/tap.lua"
local model = dofile "tests/layout/model.lua"
t.compiler("layouts of structs")

-- A generator of its own, so that the structs are the same everywhere.
local state = 12345
local function random(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return state // 65536 % n
end

-- What a table for the type holds, with the values of its leaves in order.
local function filled(type, take)
  if type.fields then
    local all = {}
    for i, f in ipairs(type.fields) do
      local value, union = filled(f.type, take), type.how.union
      if union and union ~= i then value = nil end -- its leaves are counted
      if f.name then all[f.name] = value end
      if not f.name then for k, v in pairs(value or {}) do all[k] = v end end
    end
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
    return model.value(type.leaves[number], number)
  end)
end

-- asked: sizes and offsets; written: every leaf; given: a table's bytes
local function source(structs, first)
  local text = { model.head }
  for k = 1, #structs do text[#text + 1] = model.declare(structs[k]) end
  local asked, written, given, parameters, tables = {}, {}, {}, {}, {}
  for k = first, #structs do
    local s = structs[k]
    local n = k - first
    asked[#asked + 1] = ("  o[%d] = sizeof(%s); o[%d] = alignof(%s);"):format(
      32 * n, s.text, 32 * n + 1, s.text)
    asked[#asked + 1] = ("  device %s *p%d = (device %s *)(o + 1024); (void)p%d;"):format(
      s.text, n, s.text, n)
    for i, f in ipairs(s.fields) do
      asked[#asked + 1] = f.name and ("  o[%d] = (device uchar *)&p%d->%s - (device uchar *)p%d;")
        :format(32 * n + 1 + i, n, f.name, n) or ""
    end
    for number, leaf in ipairs(s.leaves) do
      local v = tostring(model.value(leaf, number))
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

local function has_union(type)
  if type.count then return has_union(type.element) end
  if not type.fields then return false end
  if type.how.union then return true end
  for _, f in ipairs(type.fields) do
    if has_union(f.type) then return true end
  end
  return false
end

-- A table, or where the device does not tell what is in a union a buffer.
local function given(struct)
  if gpu.device.name ~= "metal" or not has_union(struct) then
    return table_of(struct)
  end
  local b, i = gpu.buffer("uchar", struct.size), 0
  for byte in model.image(struct):gmatch "%d+" do
    b[i], i = tonumber(byte), i + 1
  end
  return b
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
      if f.name then
        see("the offset of " .. f.name, s, asked[32 * n + 1 + i], f.offset)
      end
    end
    buffers[n + 1] = gpu.buffer("uchar", s.size)
    tables[n + 1] = given(s)
  end
  if #bad > 0 then return bad end
  library.written(table.move(buffers, 1, #buffers, 1, { grid = 1 }))
  local out = gpu.buffer("uchar", 1024 * #tables)
  library.given(table.move(tables, 1, #tables, 2, { out, grid = 1 }))
  for k = first, #structs do
    local s, n = structs[k], k - first
    see("what a kernel writes", s, image(buffers[n + 1], 0, s.size),
      model.image(s, true))
    see("a table's bytes", s, image(out, 1024 * n, s.size), model.image(s))
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
  local k = gpu.kernel(model.head .. text .. "\nkernel void sizes(device uint *o) { o[0] = sizeof(S); o[1] = alignof(S); }")
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
  local text = model.head .. [=[
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

t.test("a table for a union has one of the fields", function()
  local function kernel(fields)
    return gpu.kernel(model.head .. fields .. [=[
      kernel void f(constant S &s, device uchar *o) {
        for (uint i = 0; i < sizeof(S); i++) o[i] = ((constant uchar *)&s)[i];
      }]=])
  end
  local function bytes(k, given)
    local o = gpu.buffer("uchar", 16)
    k { given, o, grid = 1 }
    return image(o, 0, 8)
  end
  local u = kernel "union S { float f; uint b; uchar4 c; };"
  if gpu.device.name == "metal" then -- which does not say what is in them
    local whole = "give a buffer with the bytes of the whole argument"
    t.raises("type S cannot be written from Lua: " .. whole, bytes, u,
      { b = 1 })
    local s = kernel "struct S { uchar t; union { ushort n; uint z; }; };"
    t.raises("S has a part that the device does not describe (a union?): "
      .. whole, bytes, s, { t = 9, n = 258 })
    local b = gpu.buffer("uchar", 8)
    b[0], b[5] = 9, 1
    t.equal(bytes(s, b), "9 0 0 0 0 1 0 0")
    return
  end
  t.equal(bytes(u, { b = 0x04030201 }), "1 2 3 4 0 0 0 0")
  t.equal(bytes(u, { f = 1 }), "0 0 128 63 0 0 0 0")
  t.equal(bytes(u, { c = { 5, 6, 7, 8 } }), "5 6 7 8 0 0 0 0")
  t.raises("'f' and 'b' of the union share their bytes: give one of them",
    bytes, u, { b = 1, f = 1 })
  t.raises("has none of the union's fields: give one of f, b, c", bytes, u, {})
  t.raises("S has no field 'd'; its fields are: f, b, c", bytes, u, { d = 1 })
  local s = kernel [=[struct S { uchar t; union { ushort n; struct { uchar x, y;
    union { uint z; uchar w; }; }; }; };]=]
  t.equal(bytes(s, { t = 9, n = 258 }), "9 0 0 0 2 1 0 0")
  local o = gpu.buffer("uchar", 16)
  s { { t = 9, x = 3, y = 4, z = 5 }, o, grid = 1 }
  t.equal(image(o, 0, 12), "9 0 0 0 3 4 0 0 5 0 0 0")
  t.raises("'n' and 'y'", bytes, s, { t = 9, n = 1, y = 1 })
  t.raises("'z' and 'w'", bytes, s, { t = 9, x = 1, z = 1, w = 2 })
  t.raises("field 't' (uchar) of S is missing", bytes, s, { n = 1 })
  t.raises("give one of n, x, y, z, w", bytes, s, { t = 1 })
  local p = kernel "union S { device float *p; ulong n; struct { device int *q; } in; };"
  t.equal(bytes(p, { n = 7 }), "7 0 0 0 0 0 0 0")
  t.raises("'p' (float *) of the union refers", bytes, p, { p = gpu.buffer(1) })
  t.raises("'in'", bytes, p, { ["in"] = { q = gpu.buffer("int", 1) } })
end)

t.test("a table for bit-fields is refused", function()
  local k = gpu.kernel "struct S { uint a : 3; uint b : 5; };\nkernel void f(constant S &s, device uint *o) { o[0] = s.a; o[1] = s.b; }"
  local ok, why = pcall(k, { { a = 2, b = 3 }, gpu.buffer("uint", 2),
    grid = 1 })
  t.ok(not ok, "it is accepted")
  t.has(why, "bit-field")
end)

t.done()
