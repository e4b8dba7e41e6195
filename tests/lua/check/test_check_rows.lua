-- test_check_rows.lua - accesses that the checker looks at as rows of 32 lanes:
-- what good lanes do when others of the row are wrong, what is found where a
-- row stands for its cells, and reads of threadgroup memory between barriers
-- (of no device).
--
-- Guards: devices/host/lower/access.c,
-- devices/host/check/fast_path.c, devices/host/check/fast_path_rows.c,
-- devices/host/check/threadgroup_reads.c: contiguous accesses that are partly
-- wrong, words that stand for eight shadow cells, reads of tiles between
-- barriers
local t = dofile "tests/tap.lua"

local HEAD = [=[
#include <metal_stdlib>
using namespace metal;
]=]

local function kinds(r)
  local list = {}
  for i, f in ipairs(r) do list[i] = f.kind end
  table.sort(list)
  return table.concat(list, " ")
end

---------------------------------------------------------------- partly wrong

-- y[to(i)] = x[from(i)] for 64 threads: bad reads give 0, bad writes are
-- dropped, and the others do what they should.
local function moves(name, type, from, to, group)
  t.test("partly out of bounds: " .. name, function()
    local source = HEAD .. ([=[
kernel void k(device const TYPE *x [[buffer(0)]], device TYPE *y [[buffer(1)]],
              constant int &n [[buffer(2)]], uint2 p [[thread_position_in_threadgroup]],
              uint t [[thread_index_in_threadgroup]]) {
  int i = t, px = p.x, py = p.y;
  (void)px, (void)py;
  TYPE v = x[FROM];
  y[TO] = v;
}
]=]):gsub("TYPE", type):gsub("FROM", from.msl):gsub("TO", to.msl)
    local size = 50
    local x, y = gpu.buffer(type, size), gpu.buffer(type, size)
    for i = 0, size - 1 do x[i], y[i] = i + 1, 99 end
    local r = check { gpu.kernel(source), x, y, size, groups = 1, group = group,
      inplace = true, schedules = 0,
      outputs = {} }
    local want = {}
    for i = 0, size - 1 do want[i] = 99 end
    local wrong = 0
    for i = 0, 63 do
      local px, py = i % group[1], i // group[1]
      local a, b = from.lua(i, px, py), to.lua(i, px, py)
      local v = a >= 0 and a < size and a + 1 or 0
      if a < 0 or a >= size or b < 0 or b >= size then wrong = wrong + 1 end
      if b >= 0 and b < size then want[b] = v end
    end
    assert(wrong > 0)
    for i = 0, size - 1 do t.equal(y[i], want[i], name .. ", element " .. i) end
    local found = false
    for _, f in ipairs(r) do found = found or f.kind == "out-of-bounds" end
    t.ok(found, kinds(r))
  end)
end

local straight = { msl = "i", lua = function(i) return i end }
local later = { msl = "i + 3", lua = function(i) return i + 3 end }
local back = { msl = "45 - i", lua = function(i) return 45 - i end }
local below = { msl = "i - 5", lua = function(i) return i - 5 end }
local across = { msl = "px * 8 + py", lua = function(_, px, py)
  return px * 8 + py
end }
local blocks = { msl = "py * n / 4 + px", lua = function(_, px, py)
  return py * 50 // 4 + px
end }
moves("a row", "float", straight, straight, { 64, 1 })
moves("a row, later", "float", later, straight, { 64, 1 })
moves("backwards", "int", back, straight, { 64, 1 })
moves("before the start", "float", below, below, { 64, 1 })
moves("small elements", "short", later, back, { 64, 1 })
moves("bytes", "uchar", straight, later, { 64, 1 })
moves("eight wide, across", "float", across, straight, { 8, 8 })
moves("sixteen wide", "float", straight, straight, { 16, 4 })
moves("sixteen wide, rows of a length known late", "int", blocks, straight, { 16, 4 })
moves("two SIMD-groups of four rows", "uint", later, back, { 8, 8 })

---------------------------------------------------------------- rows as cells

local function finds(name, want, body, n, options)
  t.test(name, function()
    local source = HEAD .. [=[
kernel void k(device TYPE *a [[buffer(0)]], device float *b [[buffer(1)]],
              uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],
              uint g [[threadgroup_position_in_grid]]) {
]=] .. body .. "\n}\n"
    options = options or {}
    source = source:gsub("TYPE", options.type or "float")
    local r = check { gpu.kernel(source), gpu.buffer(
      options.type or "float", 512), gpu.buffer(512), grid = n, group = 64,
      schedules = 0, outputs = options.outputs or {} }
    t.equal(kinds(r), want, tostring(r))
  end)
end

finds("each its own, twice", "", "a[i] = i; a[i] = a[i] + 1;", 256)
finds("rows of two groups meet", "race", "a[t] = i;", 128)
finds("rows of two groups meet by half", "race", "a[t + g * 32] = i;", 128)
finds("one thread writes into a row", "race", "a[i] = 1 + i; if (i == 77) a[70] = 5;", 128)
finds("one thread reads from a row", "race", "a[i] = 1 + i; if (i == 77) b[i] = a[70];", 128)
finds("a row is written over what one read", "race", "if (i == 40) b[0] = a[3]; a[i] = i;", 128)
finds("a row is read, its neighbour's written", "race", "float v = a[i + 1]; a[i] = v;", 128)
finds("a barrier orders rows of the group", "",
  "a[i] = i; threadgroup_barrier(mem_flags::mem_device); b[i] = a[i ^ 63];", 128)
finds("bytes side by side are no race", "", "a[i] = t; a[i] = a[i] + 1;", 256, { type = "uchar" })
finds("bytes of two groups meet", "race", "a[t] = g;", 128, { type = "uchar" })
finds("bytes, three to a thread", "", "if (i < 170) { a[3 * i] = 1; a[3 * i + 1] = 2; a[3 * i + 2] = t; }", 192,
  { type = "uchar" })
finds("bytes, three and a half to a thread", "race", "if (i < 170) for (uint k = 0; k < 4; k++) a[3 * i + k] = t + k;", 192,
  { type = "uchar" })
finds("covered", "", "a[i] = i;", 512, { outputs = { "a" } })
finds("covered but for three", "coverage", "if (i < 509) a[i] = i;", 512, { outputs = { "a" } })
finds("covered but for one in a row", "coverage", "if (i != 100) a[i] = i;", 512, { outputs = { "a" } })

-- lanes a few elements apart: members of structs, four elements to a thread
finds("two to a thread, one after the other", "", "a[2 * i] = t; a[2 * i + 1] = a[2 * i];", 256)
finds("four to a thread, and again", "", "for (uint k = 0; k < 4; k++) a[4 * i + k] = t; a[4 * i + 3] += a[4 * i];", 128)
finds("eight to a thread, backwards", "", "for (uint k = 0; k < 8; k++) a[511 - 8 * i - k] = t;", 64)
finds("four to a thread, one of the next one's", "race", "for (uint k = 0; k < 5; k++) a[(4 * i + k) % 512] = t + k;", 128)
finds("every second one is another's", "race", "a[2 * t + g] = i; if (i == 70) b[0] = a[12];", 128)
finds("every second one, apart", "", "a[2 * t + g] = i; b[i] = a[2 * t + g];", 128)
finds("every fourth is read, its owner writes", "race", "float v = a[4 * (i ^ 1)]; a[4 * i] = v;", 128)
finds("bytes, every fourth", "race race", "a[4 * t] = g; a[4 * t + 2] = g;", 128, { type = "uchar" })
finds("covered in two strides", "", "a[2 * i] = i; a[2 * i + 1] = i;", 256, { outputs = { "a" } })
finds("covered in a stride but for one", "coverage", "a[2 * i] = i; if (i != 9) a[2 * i + 1] = i;", 256,
  { outputs = { "a" } })
finds("pairs of neighbours, three apart", "", "for (uint k = 0; k < 3; k++) a[3 * i + k] = t;", 128)

---------------------------------------------------------------------- atomics

local function atomics(name, want, body, sum)
  t.test("atomics: " .. name, function()
    local source = HEAD .. [=[
#define ADD(p, x) atomic_fetch_add_explicit(p, x, memory_order_relaxed)
#define GET(p) atomic_load_explicit(p, memory_order_relaxed)
#define PUT(p, x) atomic_store_explicit(p, x, memory_order_relaxed)
#define BARRIER threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device)
kernel void k(device atomic_uint *a [[buffer(0)]], device uint *b [[buffer(1)]],
              uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],
              uint g [[threadgroup_position_in_grid]]) {
  [[maybe_unused]] threadgroup atomic_uint s[64];
  [[maybe_unused]] device uint *plain = (device uint *)a;
]=] .. body .. "\n}\n"
    local a, b = gpu.buffer("uint", 512), gpu.buffer("uint", 512)
    local r = check { gpu.kernel(source), a, b, grid = 128, group = 64,
      schedules = 0, outputs = {}, inplace = true }
    t.equal(kinds(r), want, tostring(r))
    if sum then t.equal(a[sum[1]], sum[2]) end
  end)
end

atomics("all to one place", "", "ADD(&a[3], 1);", { 3, 128 })
atomics("each to a place of many", "", "ADD(&a[i * 37 % 17], 1);", { 0, 8 })
atomics("stored, waited, added, waited, loaded", "",
  "PUT(&s[t], 0); BARRIER; ADD(&s[t * 7 % 13], 1); BARRIER; b[i] = GET(&s[t]);")
atomics("added to what nobody set", "uninitialised", "ADD(&s[t * 7 % 13], 1); b[i] = 0;")
atomics("what the group before set", "uninitialised",
  "if (g == 0) PUT(&s[t], 0); BARRIER; ADD(&s[t % 13], 1); b[i] = 0;")
atomics("loads and stores at once", "", "PUT(&a[t % 5], 1); b[i] = GET(&a[t % 7]); ADD(&a[t % 3], 1);")
atomics("a plain read beside them", "race", "ADD(&a[3], 1); if (i == 9) b[0] = plain[3];")
atomics("a plain read before them", "race", "if (i == 9) b[0] = plain[3]; ADD(&a[3], 1);")
atomics("a plain write beside them", "race", "ADD(&a[t % 5], 1); if (i == 70) plain[3] = i;")
atomics("a plain write of another group before", "race", "if (i == 3) plain[3] = 5; if (i > 100) ADD(&a[3], 1);")
atomics("a plain read behind a barrier", "", "if (g == 0) { ADD(&a[3], 1); } BARRIER; if (i == 9) b[0] = plain[3];")
atomics("a plain write before a barrier", "",
  "if (i == 3) plain[3] = 5; BARRIER; if (g == 0) ADD(&a[3], 1);", { 3, 69 })
atomics("past the end", "out-of-bounds", "ADD(&a[i * 5], 1);", { 5, 1 })
atomics("of another group's plain read", "race", "if (i == 9) b[0] = plain[3]; if (g == 1) ADD(&a[3], 1);")

-- a pointer that goes on in the one lane that is on: the others have none
t.test("one lane of rows in two dimensions", function()
  local k = gpu.kernel(HEAD .. [=[
kernel void k(device uint *a [[buffer(0)]], uint3 p [[thread_position_in_grid]], uint3 grid [[threads_per_grid]],
              uint lane [[thread_index_in_simdgroup]]) {
  uint i = p.y * grid.x + p.x;
  if (lane == 2) {
    uint w = 2;
    do {
      if (w++ > 8) break;
      for (uint k = 1; k < 6; k += 2) {
        device uint *at = a + i * 8;
        for (uint z = 0; z < (i & 7); z++) *at++ += lane + z;
      }
    } while (lane < 4);
  }
}
]=])
  local r = check { k, gpu.buffer("uint", 2048), grid = { 16, 16 },
    group = { 16, 16 } }
  t.equal(kinds(r), "", tostring(r))
end)

------------------------------------------------------------ threadgroup memory

local BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"
local function tiles(name, want, body)
  finds("tile: " .. name, want, (body:gsub("BARRIER", BARRIER)), 128)
end

tiles("written, waited, read", "", "threadgroup float s[64]; s[t] = i; BARRIER b[i] = s[63 - t];")
tiles("not waited", "race", "threadgroup float s[64]; s[t] = i; b[i] = s[63 - t];")
tiles("read, then written without waiting", "race",
  "threadgroup float s[64]; s[t] = i; BARRIER float v = s[63 - t]; s[t] = v; BARRIER b[i] = s[t];")
tiles("one place read by all, then written", "race",
  "threadgroup float s[64]; s[t] = i; BARRIER float v = s[5]; if (t == 40) s[5] = v + 1; b[i] = v;")
tiles("read by its owner alone, then written", "",
  "threadgroup float s[64]; s[t] = i; BARRIER float v = s[t]; s[t] = v + 1; b[i] = s[t];")
tiles("a barrier for other memory", "race", "threadgroup float s[64]; s[t] = i; "
  .. "threadgroup_barrier(mem_flags::mem_device); b[i] = s[63 - t];")
tiles("partly written", "uninitialised",
  "threadgroup float s[64]; if (t < 60) s[t] = i; BARRIER b[i] = s[63 - t];")
tiles("of the group before", "uninitialised",
  "threadgroup float s[64]; if (g == 0) s[t] = i; BARRIER b[i] = s[63 - t];")
tiles("a column nobody uses", "", "threadgroup float s[8][9]; s[t / 8][t % 8] = i; BARRIER b[i] = s[t % 8][t / 8];")
tiles("halves", "", "threadgroup half s[65]; s[t + 1] = t; BARRIER b[i] = s[64 - t];")
tiles("halves, the first never written", "uninitialised",
  "threadgroup half s[65]; s[t + 1] = t; BARRIER b[i] = s[63 - t];")
tiles("more reads than the list has", "race", "threadgroup float s[64]; s[t] = i; BARRIER float v = 0; "
  .. "for (uint k = 0; k < 9000; k++) v += s[(k + t) % 64]; if (t == 3) s[9] = v; b[i] = v;")
tiles("past the end, into another", "out-of-bounds",
  "threadgroup float s[64]; threadgroup float r[64]; s[t] = i; r[t] = t; BARRIER b[i] = s[t + 1] + r[t];")
------------------------------------------------------- several who have read

-- The last to read is the one who writes: which other read it, and where?
local function readers(name, space, body, column)
  t.test("the reader before: " .. name, function()
    local source = HEAD .. ([=[
kernel void k(device TYPE *in, device uint *out, constant uint &n, uint i [[thread_index_in_threadgroup]]) {
  SPACE
  uint s = BODY;
  a[i] = s;
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  out[i] = a[i] + s;
}
]=]):gsub("SPACE", space):gsub("BODY", (body:gsub("%%", "%%%%")))
    for _, type in ipairs { "uint", "uchar" } do
      local k = gpu.kernel(source, { defines = { TYPE = type } })
      local r = check { k, gpu.buffer(type, 256), gpu.buffer("uint", 256), 256,
        grid = 256, group = 256, schedules = 0 }
      t.ok(#r > 0, "nothing was found")
      local there = false
      for _, f in ipairs(r) do
        t.equal(f.kind, "race")
        t.ok(f.column and f.other_column, tostring(r))
        t.ok(#f.threads >= 2, "the other thread is missing:\n" .. tostring(r))
        local one, other = f.threads[1].grid, f.threads[2].grid
        t.ok(one[1] ~= other[1], "a thread races with itself:\n" .. tostring(r))
        there = there or f.other_column == column
      end
      t.ok(there, ("no read at column %d:\n%s"):format(column, tostring(r)))
    end
  end)
end

local device = "device TYPE *a = in;"
local tile = "threadgroup TYPE a[256]; a[i] = in[i]; threadgroup_barrier(mem_flags::mem_threadgroup);"
for where, space in pairs { device = device, threadgroup = tile } do
  readers(where .. ", its own last", space, "a[(i + 1) % n] + a[i]", 12)
  readers(where .. ", its own first", space, "a[i] + a[(i + 1) % n]", 19)
  readers(where .. ", its own between", space, "a[(i + 3) % n] + a[i] + a[(i + 40) % n]", 36)
  readers(where .. ", one place for all", space, "a[7] + a[i]", 12)
  readers(where .. ", lanes apart", space, "a[i * 37 % n] + a[i]", 12)
  readers(where .. ", backwards", space, "a[n - 1 - i] + a[i]", 12)
end

t.done()
