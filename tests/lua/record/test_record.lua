-- test_record.lua - record{…}: the stories of threads, who touched an element,
-- variables over lanes; what it says to misuse.
--
-- Guards: record{…}, lua/record/record.lua,
-- devices/host/instrument/record_values.c: lines and variables of threads as
-- they go, types of the source, who touched an element, who came to a line,
-- memory at a moment, schedules, where two recordings part, misuse;
-- lua/bind/tools/record/{query, value}.c, lua/record/{event_text, findings,
-- recording, simd_matrix}.lua
local t = dofile "tests/tap.lua"
t.compiler "record{…}"

local SOURCE = [=[
#include <metal_stdlib>
using namespace metal;
struct P { float3 at; uint id; };
static float helper(float a, int times) {
  float r = 0;
  for (int n = 0; n < times; n++)
    r += a * n;
  return r;
}
kernel void k(device const float *x, device float *y, constant P &p, uint i [[thread_position_in_grid]]) {
  float v = x[i];
  float4 q = float4(v, 1, 2, 3);
  P own = p;
  half h = half(v);
  float a[4] = {1, 2, 3, 4};
  device float *to = y + i;
  a[i % 4] = 9;
  if (i & 1)
    v = clamp(v, 0.0f, 1.0f) + a[i % 4];
  else
    v = helper(v, 3) + q.y;
  own.id = i * 3;
  q.x = v;
  v += simd_shuffle_xor(v, 1);
  *to = q.x + own.id + h;
}]=]
local k
t.test("the kernel can be taken", function() k = gpu.kernel(SOURCE) end)
if not k then t.done() end -- this GPU lacks what it uses
local r = record { k, gpu.buffer(8):iota(), gpu.buffer(8),
  { at = { 1, 2, 3 }, id = 7 }, grid = 8 }

local function flat(story)
  local out = {}
  for i, row in ipairs(story) do
    out[i] = row.line .. ": " .. table.concat(row.does, "; ")
  end
  return table.concat(out, "\n")
end

t.test("the story of a thread that calls a function", function()
  local s = r:thread(4)
  t.ok(s.title:find("thread 4: threadgroup 0, SIMD-group 0, lane 4", 1, true) and s.title:find("i = 4", 1, true), s.title)
  t.equal(flat(s), [[
11: x[4] is 4; v = 4
12: q = {4, 1, 2, 3}
13: p[0] is {at = {1, 2, 3}, id = 7}; own = {at = {1, 2, 3}, id = 7}
14: h = 4
15: a = {1, 2, 3, 4}
16: to = &y[4]
17: a[0] = 9
18: 
21: a = 4; times = 3
5: r = 0
6: n = 0
7: r = 0
6: n = 1
7: r = 4
6: n = 2
7: r = 12
6: n = 3
8: 
21: v = 13
22: own.id = 12
23: q = {13, 1, 2, 3}
24: simd_shuffle_xor gives 10 from lane 5; v = 23
25: y[4] = 29]])
  t.ok(tostring(s):find("   11    float v = x[i];", 1, true), tostring(s))
end)

t.test("and of one that takes the other way", function()
  local text = flat(r:thread { 5 })
  t.ok(text:find("19: v = 10\n22: own.id = 15", 1, true), text)
  t.ok(text:find("17: a[1] = 9", 1, true), text)
  t.ok(not text:find "helper" and not text:find "times", text)
end)

t.test("help on a recording is that of record", function()
  t.equal(require("lua.reference.help").about(r).name, "record")
end)

t.test("who touched an element", function()
  local c = gpu.kernel [=[#include <metal_stdlib>
using namespace metal;
kernel void c(device float *y, device atomic_int *n, uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  tile[t] = i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = tile[t ^ 1];
  if (i % 2) atomic_fetch_add_explicit(n, 1, memory_order_relaxed);
}]=]
  local rec = record { c, gpu.buffer(64), gpu.buffer("int", 1), grid = 64,
    group = 64, threads = { 4, 5 } }
  t.equal(tostring(rec:who("tile", 5)), "thread 5, line 5, after 0 barriers: tile[5] = 5\nthread 4, line 7, after 1 barrier: tile[5] is 5")
  t.equal(tostring(rec:who("n", 0)), "thread 5, line 8, after 1 barrier: n[0]: 2 → 3")
  t.equal(tostring(rec:who("y", 60)), "no thread touched it")
end)

t.test("a variable over the lanes", function()
  local lanes = r:lanes "v"
  t.equal(lanes[4], "23"); t.equal(lanes[5], "23"); t.equal(lanes[8], nil)
  t.equal(r:lanes("v", 19)[5], "10"); t.equal(r:lanes("v", 19)[4], nil)
  t.ok(tostring(lanes):find("v in SIMD-group 0 of threadgroup 0\n  0: 11   1: 11", 1, true), tostring(lanes))
end)

t.test("loops: a thousand lines are a thousand rows", function()
  local loop = gpu.kernel [=[kernel void l(device float *y, uint i [[thread_position_in_grid]]) {
  float s = 0;
  for (int j = 0; j < 500; j++)
    s += j;
  y[i] = s;
}]=]
  local s = record { loop, gpu.buffer(32), grid = 32 }:thread(31)
  t.equal(#s, 1 + 501 + 500 + 1)
  t.equal(s[#s].does[1], "y[31] = 124750")
end)

local TYPES = [=[
#include <metal_stdlib>
using namespace metal;
constant int steps[3] = { 5, 6, 7 };
struct P { float3 at; uint id; short s[3]; };
enum Kind : uchar { ONE = 1, TWO = 250 };
static void bump(thread float &x, thread uint *n) {
  x += 1;
  *n += 2;
}
static float mean(texture2d<float> t) { return t.read(uint2(1, 0)).x; }
static P made(uint id) { P p = { float3(id), id, { 1, 2, 3 } }; return p; }
kernel void types(device const float *x, device float *y, constant P &p, texture2d<float> pic,
                  uint i [[thread_position_in_grid]]) {
  threadgroup uint tile[2][4];
  float v = x[i];
  uint u = 4000000000u + i;
  char c = -3;
  uchar uc = 200;
  short s = -300;
  bool b = i > 2;
  bool2 bb = bool2(true, false);
  half3 h3 = half3(1, 2, 3);
  float2x2 m = float2x2(1.0);
  m[1][0] = 4;
  bfloat bf = 1.5bf;
  long l = -1;
  ulong ul = ~0ul;
  packed_float3 pf = packed_float3(1, 2, 3);
  Kind kind = TWO;
  P own = p;
  own.at.y = 4;
  own.s[1] = -3;
  device float *to = y + i;
  threadgroup uint *in_tile = &tile[1][i % 4];
  thread float *pv = &v;
  bump(v, &u);
  *pv += 0.5f;
  simdgroup_float8x8 acc = simdgroup_float8x8(2.0f);
  float mean_of = mean(pic);
  P q = made(i);
  *in_tile = 4000000001u;
  if (i == 0) { float v = 9; to[0] = v; }
  *to = v + own.id + steps[i % 3];
  (void)c, (void)uc, (void)s, (void)b, (void)bb, (void)h3, (void)bf, (void)l, (void)ul, (void)pf, (void)kind;
  (void)acc, (void)mean_of, (void)q;
}]=]

local function typed(schedule)
  local pic = gpu.texture { width = 4, height = 4, format = "r32float" }
  return record { gpu.kernel(TYPES), gpu.buffer(4):iota(), gpu.buffer(4),
    { at = { 1, 2, 3 }, id = 7, s = { 1, 2, 3 } }, pic,
    grid = 4, schedule = schedule }
end

t.test("values by the types of the source", function()
  local rec = typed()
  local text = "\n" .. flat(rec:thread(3)) .. "\n"
  local function says(line, words)
    t.ok(text:find(("\n%d: %s\n"):format(line, words), 1, true), words
      .. " on line " .. line .. " in: " .. text)
  end
  says(16, "u = 4000000003")
  says(17, "c = -3"); says(18, "uc = 200"); says(19, "s = -300")
  says(20, "b = true")
  says(21, "bb = {true, false}")
  says(22, "h3 = {1, 2, 3}"); says(23, "m = {{1, 0}, {0, 1}}")
  says(25, "bf = 1.5"); says(26, "l = -1"); says(27, "ul = 18446744073709551615"); says(28, "pf = {1, 2, 3}")
  says(29, "kind = 250")
  says(31, "own.at = {1, 4, 3}")
  says(32, "own.s[1] = -3"); says(33, "to = &y[3]")
  says(34, "in_tile = &tile[1][3]"); says(35, "pv = &v"); says(36, "x = &v; n = &u"); says(8, "u = 4000000005")
  says(37, "v = 4.5"); says(41, "tile[1][3] = 4000000001")
  t.ok(text:find("\n24: m[1] = {4, 1}\n", 1, true) and text:find("39: t = pic\n", 1, true), text)
  t.equal(rec:lanes("own")[3], "{at = {1, 4, 3}, id = 7, s = {1, -3, 3}}")
  t.equal(rec:lanes("m")[3], "{{1, 0}, {4, 1}}")
  t.equal(rec:lanes("acc")[0], "{2, 0} of this lane")
  t.equal(rec:lanes("q")[2], "{at = {2, 2, 2}, id = 2, s = {1, 2, 3}}")
  t.equal(rec:lanes("v", 42)[0], "9"); t.equal(rec:lanes("v", 37)[0], "1.5")
  t.equal(rec:memory("steps")[2], "7")
  t.equal(#rec.unrecorded, 0, rec.unrecorded[1])
  local of = {}
  for _, v in ipairs(rec.variables) do of[v.name] = v.type end
  t.equal(of.own, "P")
  t.equal(of.h3, "half3")
  t.equal(of.ul, "ulong"); t.equal(of.t, "texture2d<float>")
end)

t.test("pointers to one of several variables", function()
  local several = gpu.kernel [=[
kernel void several(device int *y, uint i [[thread_position_in_grid]]) {
  int a = 1, b = 2, c[3] = { 3, 4, 5 };
  thread int *p = i % 2 ? &a : &b;
  *p = 7;
  p = &c[1];
  if (i > 2) p = &b;
  *p += 10;
  thread int *q = c;
  for (int n = 0; n < 3; n++)
    *q++ = n;
  y[i] = a + b + c[1];
}]=]
  local rec = record { several, gpu.buffer("int", 4), grid = 4 }
  local zero, one, three = flat(rec:thread(0)), flat(rec:thread(1)),
    flat(rec:thread(3))
  t.ok(zero:find("\n4: b = 7\n", 1, true) and zero:find(
    "\n7: c[1] = 14\n", 1, true), zero)
  t.ok(one:find("\n4: a = 7\n", 1, true), one)
  t.ok(three:find("\n4: a = 7\n", 1, true) and three:find(
    "\n7: b = 12\n", 1, true), three)
  t.ok(zero:find("c[2] = 2", 1, true), zero)
  t.equal(rec:lanes("c")[0], "{0, 1, 2}")
  t.equal(#rec.unrecorded, 0, rec.unrecorded[1])
end)

local order = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void order(device uint *y, device atomic_uint *n, uint i [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint tile[64];
  tile[t] = i;
  uint mine = atomic_fetch_add_explicit(n, 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = mine + tile[t ^ 1] * 0;
}]=]
local function ordered(schedule)
  return record { order, gpu.buffer("uint", 128):fill(77),
    gpu.buffer("uint", 1), grid = 128, group = 64,
    schedule = schedule }
end

t.test("the schedule is chosen and said", function()
  local a, b, c, d = ordered(), ordered "reversed", ordered(7), ordered "lines"
  t.equal(a:who("y", 0)[1].value, "0")
  t.equal(b:who("y", 0)[1].value, "127"); t.equal(b:who("y", 127)[1].value, "0")
  local seen = {}
  for i = 0, 127 do seen[c:who("y", i)[1].value] = true end
  for i = 0, 127 do t.ok(seen[tostring(i)], "every thread has a turn") end
  t.ok(c:who("y", 0)[1].value ~= "0" or c:who("y", 1)[1].value ~= "1",
    "shuffled")
  t.equal(tostring(ordered(7):memory "y"), tostring(c:memory "y"),
    "the same seed")
  t.equal(d:at(6)[2].thread, "1")
  t.equal(d:at(6)[2].moment - d:at(6)[1].moment, 2, "lane by lane on a line")
  t.ok(a:at(6)[2].moment - a:at(6)[1].moment > 2, "thread by thread otherwise")
  local function says(r1, words)
    local text = tostring(r1):gsub("%s+", " ") -- it is wrapped
    t.ok(text:find(words, 1, true), text)
  end
  says(a, 'Unoptimised, fast math off, thread by thread (schedule = "threads").')
  says(b, 'from the last on (schedule = "reversed")')
  says(b, "The plain launch gives another y (")
  says(d, "line by line in each SIMD-group")
end)

t.test("a kernel that never waits runs in the order that was chosen, too", function()
  local k1 = gpu.kernel [=[kernel void k(device int *y, uint i [[thread_position_in_grid]]) {
  y[0] = i;
}]=]
  t.equal(record { k1, gpu.buffer("int", 1), grid = 40 }:memory("y")[0], "39")
  t.equal(record { k1, gpu.buffer("int", 1), grid = 40,
    schedule = "reversed" }:memory("y")[0], "0")
end)

local product
local taken = pcall(function()
  product = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void product(device const float *a, device const half *b, device float *c) {
  simdgroup_float8x8 x, sums[2];
  simdgroup_half8x8 y;
  for (int i = 0; i < 2; i++)
    sums[i] = simdgroup_float8x8(0.5f);
  simdgroup_load(x, a, 8);
  simdgroup_load(y, b, 8, 0, true);
  simdgroup_multiply_accumulate(sums[1], x, y, sums[1]);
  simdgroup_store(sums[1], c, 8);
}]=]
end)

if taken then
  t.test("a matrix of the SIMD-group is whole, not what one lane holds", function()
    local c = gpu.buffer(64)
    local m = record { product, gpu.buffer(64):iota(),
      gpu.buffer("half", 64):iota(), c, grid = 32 }
    local x, y = m:lanes("x").matrices[1], m:lanes("y").matrices[1]
    for row = 0, 7 do
      for column = 0, 7 do
        t.equal(x[row][column], tostring(row * 8 + column))
        t.equal(y[row][column], tostring(column * 8 + row))
      end
    end
    local sums, stored = m:lanes("sums", 10), m:memory "c"
    t.equal(#sums.matrices, 2); t.equal(sums.matrices[1][6][6], "0.5")
    for i = 0, 63 do t.equal(sums.matrices[2][i // 8][i % 8], stored[i]) end
    t.ok(tostring(m:lanes "x"):find("\n   8  9 10 11 12 13 14 15\n", 1, true), tostring(m:lanes "x"))
    t.equal(m.variables[6].type, "simdgroup_matrix<half, 8, 8>")
    local s = require("lua.step.step").open(m)
    s:to_line(10, 1)
    local rows = table.concat(require("lua.step.view").rows(
      s, 80, 24, false), "\n")
    t.ok(rows:find("come here; sums, 2 of 2:", 1, true), rows)
    t.ok(rows:find("[140.5]   [364] ", 1, true)
      and rows:find(" 364       1100.5 ", 1, true), rows)
  end)
end

t.test("who came to a line", function()
  local visits = r:at(7)
  t.equal(#visits, 12)
  t.equal(visits[1].thread, "0"); t.equal(visits[6].does[1], "r = 6")
  t.ok(tostring(visits):find("^line 7, r %+= a %* n;: 4 threads, 12 times\n  thread 0, moment %d+: r = 0\n"), tostring(visits))
end)

t.test("memory at a moment", function()
  local rec = ordered()
  local function cells(name, moment, first, last)
    local m, out = rec:memory(name, moment), {}
    for i = first, last do out[#out + 1] = m[i] end
    return table.concat(out, " ")
  end
  local third = rec:at(6)[3]
  t.equal(cells("tile", third, 0, 3), "0 1 2 ·")
  t.equal(cells("tile", third.moment - 1, 0, 3), "0 1 · ·")
  t.equal(cells("y", third, 0, 3), "77 77 77 77")
  t.equal(cells("n", third, 0, 0), "2")
  t.equal(cells("tile", rec:at(9)[64], 60, 63), "60 61 62 63")
  t.equal(cells("tile", rec:at(6)[65], 0, 3), "64 · · ·", "another threadgroup has its own")
  t.equal(cells("tile", rec:at(6)[64], 62, 63), "62 63", "and back")
  t.equal(cells("y", 0, 0, 1), "77 77")
  t.equal(cells("y", nil, 126, 127), "126 127")
  t.ok(tostring(rec:memory("tile", third)):find("^tile at moment %d+: thread 2, line 6, threadgroup 0\n  0  "),
    tostring(rec:memory("tile", third)))
end)

t.test("where two recordings part", function()
  local function sum(from)
    return gpu.kernel((([=[
#include <metal_stdlib>
using namespace metal;
kernel void sum(device const float *x, device float *y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint n = FROM; n > 0; n /= 2) {
    if (t < n) part[t] += part[t + n];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) y[0] = part[0];
}]=]):gsub("FROM", from)))
  end
  local right = record { sum "32", gpu.buffer(64):iota(), gpu.buffer(1),
    grid = 64, group = 64 }
  local wrong = record { sum "16", gpu.buffer(64):iota(), gpu.buffer(1),
    grid = 64, group = 64 }
  local d = wrong:diff(right)
  t.equal(d.parts, true); t.equal(d.here.thread, "0")
  t.equal(d.here.text, "part[16] is 16")
  t.equal(d.there.text, "part[32] is 32")
  t.equal(tostring(right:diff(right)), "They do not part: every thread does the same in both.")
  t.equal(ordered():diff(ordered "reversed").here.text, "n[0]: 0 → 1")
  t.ok(tostring(ordered():diff(ordered "reversed")):find("^They part in thread 0, after 0 barriers:\n  here %(line 7,"),
    tostring(ordered():diff(ordered "reversed")))
end)

t.test("the page's data: a variable that a line changes twice", function()
  local twice = gpu.kernel [=[
static void bump(thread float &x, int by) { x += by; x *= 2; }
kernel void k(device float *y, uint i [[thread_position_in_grid]]) {
  float v = i; v += 1; v *= 3;
  bump(v, 2);
  y[i] = v;
}]=]
  local data = require "lua.record.html".data(
    record { twice, gpu.buffer(4), grid = 4 })
  local function changed(line)
    local out = {}
    for _, v in ipairs(data.visits) do
      if v[1] == 2 and v[2] == line then
        for _, c in ipairs(v[6]) do
          out[#out + 1] = data.variables[c[1] + 1].name .. "="
            .. data.words[c[2] + 1]
        end
      end
    end
    return table.concat(out, " ")
  end
  t.equal(changed(3), "y=&y[0] i=2 v=9")
  t.equal(changed(4), "x=&v by=2"); t.equal(changed(1), "v=22")
end)

t.test("misuse gets a sentence", function()
  local function says(words, f, ...)
    local ok, why = pcall(f, ...)
    t.ok(not ok and tostring(why):find(words, 1, true), words .. " in: "
      .. tostring(why))
  end
  says("record takes a kernel and its arguments: record{k, a, b, grid = 64}", record, 1)
  says("there is no kernel 'rellu' in the library; gpu.kernels lists them", record, "rellu")
  t.ok(tostring(record { "relu", n = 40 }:thread(39)):find "y%[39%]")
  t.ok(tostring(record "matmul_naive":thread(0)):find "c%[0%]")
  says("there is no thread 8; the grid has 8", r.thread, r, 8)
  says("there is no thread x; the grid has 8", r.thread, r, "x")
  says("k has no 'z'; it has x, y, p", r.who, r, "z", 0)
  says('y has 8 elements, from 0 on: r:who("y", 0)', r.who, r, "y", 8)
  says("zz gets no value; variables that do are a, h, i, n, own, p, q, r, times, to, v, x, y", r.lanes, r, "zz")
  says("v gets no value on line 3", r.lanes, r, "v", 3)
  says("the launch makes 360 events, and a recording has 10: take a part of it with only = {group = 0} or threads = {0, 31}, a smaller "
    .. "grid, or give events = 360", record, {
      k, gpu.buffer(8), gpu.buffer(8), { at = { 1, 2, 3 }, id = 7 }, grid = 8,
      events = 10 })
  says('schedule is "threads", "lines", "reversed" or a seed such as 7, not "x"', record,
    { k, gpu.buffer(8), gpu.buffer(8), { at = { 1, 2, 3 }, id = 7 }, grid = 8,
      schedule = "x" })
  says("line 2 has no code of the kernel; lines that have are 5, 6, 7, 8, 11,", r.at, r, 2)
  says("the second argument is a moment from 0 to 360", r.memory, r, "y", 1000)
  says("k has no 'z'; it has x, y, p", r.memory, r, "z")
  says("diff takes another recording", r.diff, r, 3)
  says('a recording is saved as a page: r:save "x.html"', r.save, r, "x.png")
  says('a recording is saved as a page: r:save "x.html"', r.save, r)
  says("the two recordings have other grids", r.diff, r, ordered())
  local part = record { k, gpu.buffer(8), gpu.buffer(8),
    { at = { 1, 2, 3 }, id = 7 }, grid = 8, threads = { 1 } }
  says("thread 2 was not recorded", part.thread, part, 2)
end)

-- Names that Itanium's mangling puts numbers before: S4_ and Li8E are no
-- lengths.
t.test("variables in declarations of several, in templates, in namespaces",
  function()
    local many = gpu.library([=[
#include <metal_stdlib>
using namespace metal;
struct A { float v; };
struct B { float v; };
struct C { float v; };
namespace tables { constant float weights[2] = {0.5, 2}; }
template <int N>
kernel void many(device A *p, device B *q, device C *r, device A *p2,
                 device float *y, uint i [[thread_index_in_threadgroup]]) {
  threadgroup float a[8], b[8];
  a[i] = p[i].v + q[i].v;
  b[i] = r[i].v + p2[i].v + N * tables::weights[i % 2];
  y[i] = a[i] + b[i];
}
template [[host_name("many1")]] kernel void many<1>(device A *, device B *,
  device C *, device A *, device float *, uint);
template [[host_name("many8")]] kernel void many<8>(device A *, device B *,
  device C *, device A *, device float *, uint);
template [[host_name("many12")]] kernel void many<12>(device A *, device B *,
  device C *, device A *, device float *, uint);
]=])
    for _, name in ipairs { "many1", "many8", "many12" } do
      local b = gpu.buffer(8):fill(1)
      local s = record { many[name], b, b, b, b, gpu.buffer(8), grid = 8,
        group = 8 }
      t.equal(s:memory("a")[3], "2")
      t.equal(#s:who("b", 3), 2)
      t.equal(#s:who("weights", 1), 4)
    end
  end)

t.test("accesses name the part of an element that they touch", function()
  local parts = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
struct Hit { float2 at; int id[2]; };
kernel void parts(device const float4 *y, device Hit *h,
                  uint i [[thread_position_in_grid]]) {
  threadgroup int count[2][3][4];
  threadgroup int *to = &count[1][2][0];
  float3 v = y[i].xyz;
  float w = y[i].w;
  h[i].id[1] = int(w);
  h[i].at = v.yz;
  device float2 *at = &h[i].at;
  to[i] = 7;
  at->x = to[i];
}]=]
  local s = record { parts, gpu.buffer("float", 4, 4):iota(),
    gpu.buffer("int", 4, 4), grid = 4, group = 4 }
  local told = {}
  for _, row in ipairs(s:thread(2)) do
    for _, does in ipairs(row.does) do told[#told + 1] = does end
  end
  t.equal(table.concat(told, "; "), "to = &count[1][2][0]; "
    .. "y[2].xyz is {8, 9, 10}; v = {8, 9, 10}; y[2].w is 11; w = 11; "
    .. "h[2].id[1] = 11; h[2].at = {9, 10}; at = &h[2]; "
    .. "count[1][2][2] = 7; count[1][2][2] is 7; h[2].at.x = 7")
end)

t.test("a read of threadgroup memory that nobody wrote is told", function()
  local early = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void early(device float *y, uint i [[thread_index_in_threadgroup]]) {
  threadgroup float a[4];
  if (i == 1) a[1] = 5;
  y[i] = a[i];
}]=]
  local s = record { early, gpu.buffer(8), grid = 8, group = 4 }
  local function of(n) return s:thread(n)[#s:thread(n)].does[1] end
  t.ok(of(0):find "^a%[0%] is .* %(left over: not written yet%)$", of(0))
  t.equal(of(1), "a[1] is 5")
  t.ok(of(4):find "left over", of(4))
  t.equal(of(5), "a[1] is 5")
  local some = record { early, gpu.buffer(8), grid = 8, group = 4,
    threads = { 0 } }
  t.ok(not tostring(some:thread(0)):find "left over") -- others may have
end)

-- Buffers lie in any order: the one that the line reads is meant.
t.test("a stray access is told by the buffer that the pointer is made from",
  function()
    local stray = gpu.library [=[
#define STRAY(name, from)                                                    \
  kernel void name(device const float *a, device const float *b,             \
                   device const float *c, constant uint &far,                \
                   device float *y, uint i [[thread_position_in_grid]]) {    \
    float v = a[i] + b[i] + c[i];                                            \
    y[i] = v;
#define END(name, from)                                                      \
    device const float *p = from + far;                                      \
    y[i] = v + p[i];                                                         \
  }
STRAY(of_a, a)
END(of_a, a)
STRAY(of_b, b)
END(of_b, b)
STRAY(of_c, c)
END(of_c, c)
]=]
    local function buffer() return gpu.buffer(64) end
    local a, b, c, y = buffer(), buffer(), buffer(), buffer()
    for _, name in ipairs { "a", "b", "c" } do
      local k1 = stray["of_" .. name]
      local list = { record { k1, a, b, c, 3000000000, y, grid = 1 }.stopped }
      if gpu.device.name == "host" then -- a GPU does not say which buffer
        list[2] = select(2, pcall(k1, { a, b, c, 3000000000, y, grid = 1 }))
      end
      for _, said in ipairs(list) do
        t.ok(said:find(("2999999936 float) past the end of buffer '%s', which "
          .. "has 64"):format(name), 1, true), said)
      end
    end
  end)

-- Whichever thread runs first, its accesses of threadgroup memory are there.
t.test("a right kernel does the same in every schedule", function()
  local turn = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void turn(device float *y, uint g [[thread_position_in_grid]],
                 uint i [[thread_index_in_threadgroup]]) {
  threadgroup float a[64], b[64];
  a[i] = g;
  b[i] = 2 * a[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[g] = a[63 - i] + b[i];
}]=]
  local y = gpu.buffer(192)
  local first = record { turn, y, grid = 192, group = 64 }
  for _, schedule in ipairs { "lines", "reversed", 7, 8 } do
    local other = record { turn, y, grid = 192, group = 64,
      schedule = schedule }
    t.equal(other.events:count(), first.events:count())
    t.equal(tostring(first:diff(other)),
      "They do not part: every thread does the same in both.")
    t.equal(#other:who("a", 5), 9)
  end
end)

t.test("a part is told by its own threads; texels and matrices as a whole",
  function()
    local pic = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void pic(texture2d<float, access::read> s [[texture(0)]],
                texture2d<float, access::write> d [[texture(1)]],
                uint i [[thread_position_in_grid]]) {
  float4 v = s.read(uint2(i % 4, i / 4));
  float2x2 m = float2x2(1, 2, 3, i);
  v.xy = m * v.xy;
  d.write(v, uint2(i % 4, i / 4));
}]=]
    local s = gpu.texture("rgba32float", 4, 4)
    s:write(gpu.buffer(64):iota())
    local part = record { pic, s, gpu.texture("rgba32float", 4, 4), grid = 16,
      group = 8, only = { group = 1 } }
    t.ok(tostring(part):find("r:thread(8) tells", 1, true), tostring(part))
    for line in (tostring(part) .. "\n"):gmatch "([^\n]*)\n" do
      t.ok(utf8.len(line) <= 80, line)
    end
    for line in (tostring(part:thread(8)) .. "\n"):gmatch "([^\n]*)\n" do
      t.ok(utf8.len(line) <= 80, line)
    end
    local lanes = part:lanes "i"
    t.equal(lanes.last, 7)
    t.ok(not tostring(lanes):find "·", tostring(lanes))
    local rows = part:thread(8)
    t.equal(rows[1].does[1], "s(0, 2) is {32, 33, 34, 35}")
    t.equal(rows[2].does[#rows[2].does], "m[1] = {3, 8}")
    t.equal(rows[3].line, rows[2].line + 1)
    t.equal(rows[4].does[1], "d(0, 2) = {131, 328, 34, 35}")
  end)

t.done()
