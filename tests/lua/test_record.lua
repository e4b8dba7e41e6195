-- test_record.lua - record{…}: the stories of threads, who touched an element, variables
-- over lanes; what it says to misuse.
local t = dofile "tests/tap.lua"

local k = gpu.kernel [=[
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
local r = record { k, gpu.buffer(8):iota(), gpu.buffer(8), { at = { 1, 2, 3 }, id = 7 }, grid = 8 }

local function flat(story)
  local out = {}
  for i, row in ipairs(story) do out[i] = row.line .. ": " .. table.concat(row.does, "; ") end
  return table.concat(out, "\n")
end

t.test("the story of a thread that calls a function", function()
  local s = r:thread(4)
  t.ok(s.title:find("thread 4: threadgroup 0, SIMD-group 0, lane 4", 1, true) and s.title:find("i = 4", 1, true), s.title)
  t.equal(flat(s), [[
11: x[4] is 4; v = 4
12: q = {4, 1, 2, 3}
13: p[0] is {1, 2, 3, 0, …}; own = (32 bytes)
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
  local rec = record { c, gpu.buffer(64), gpu.buffer("int", 1), grid = 64, group = 64, threads = { 4, 5 } }
  t.equal(tostring(rec:who("tile", 5)), "thread 5, line 5, after 0 barriers: tile[5] = 5\nthread 4, line 7, after 1 barrier: tile[5] is 5")
  t.equal(tostring(rec:who("n", 0)), "thread 5, line 8, after 1 barrier: n[0]: 2 → 3")
  t.equal(tostring(rec:who("y", 60)), "nobody touched it")
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

t.test("misuse gets a sentence", function()
  local function says(words, f, ...)
    local ok, why = pcall(f, ...)
    t.ok(not ok and tostring(why):find(words, 1, true), words .. " in: " .. tostring(why))
  end
  says("record takes a kernel and its arguments: record{k, a, b, grid = 64}", record, 1)
  says("there is no thread 8; the grid has 8", r.thread, r, 8)
  says("there is no thread x; the grid has 8", r.thread, r, "x")
  says("k has no 'z'; it has x, y, p", r.who, r, "z", 0)
  says('y has 8 elements, from 0 on: r:who("y", 0)', r.who, r, "y", 8)
  says("zz gets no value; variables that do are a, h, i, n, own, own.id, p, q, r, times, to, v, x, y", r.lanes, r, "zz")
  says("v gets no value on line 3", r.lanes, r, "v", 3)
  says("the launch makes 372 events, and a recording has 10: take a part of it with only = {group = 0} or threads = {0, 31}, a smaller "
    .. "grid, or give events = 372", record, { k, gpu.buffer(8), gpu.buffer(8), { at = { 1, 2, 3 }, id = 7 }, grid = 8, events = 10 })
  local part = record { k, gpu.buffer(8), gpu.buffer(8), { at = { 1, 2, 3 }, id = 7 }, grid = 8, threads = { 1 } }
  says("thread 2 was not recorded", part.thread, part, 2)
end)

t.done()
