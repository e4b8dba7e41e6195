-- test_check_lanes.lua - a value that is asked from an inactive lane is found
-- where the kernel uses it, and only there: each body is checked with whole
-- and partial SIMD-groups, vectorised and thread by thread. The finding names
-- the line of the shuffle, wherever the value is used. It is of no device.
--
-- Guards: devices/host/probe/lanes.c,
-- devices/host/definedness/uninitialised.c: a value from an inactive lane is
-- found where it is used, and only there; whole and partial SIMD-groups, both
-- engines
local t = dofile "tests/tap.lua"
t.compiler "check{…}"

local HEAD = [=[
#include <metal_stdlib>
using namespace metal;
struct Pair { uint key, at; };
struct Row { uint v[3]; };
template <class T> void fetch(thread T &to, T v, ushort by) {
  to = simd_shuffle_xor(v, by); // HERE
}
uint twice(thread const uint *p) { return 2 * *p; }
kernel void k(device const uint *x, device uint *out, constant uint &n,
              device Row *rows, device atomic_uint *sum,
              uint i [[thread_position_in_grid]],
              uint g [[thread_index_in_threadgroup]],
              ushort lane [[thread_index_in_simdgroup]]) {
  threadgroup uint tile[64];
  (void)tile;
  uint v = x[i];
  if (i >= n) return;
  uint here = min(32u, n - (i - lane)); // lanes of this SIMD-group that go on
  (void)here;
]=]

-- Lanes from 'here' on have returned, or were never there.
local UNUSED = {
  ["down, in an if"] = [[
  uint t = simd_shuffle_down(v, 4);
  if (lane + 4u < here) v += t;
  out[i] = v;]],
  ["xor, in ?:"] = [[
  uint t = simd_shuffle_xor(v, 16);
  out[i] = (lane ^ 16u) < here ? v + t : v;]],
  ["a named lane, in select"] = [[
  uint t = simd_shuffle(v, ushort(lane + 1));
  out[i] = select(v, t, lane + 1u < here);]],
  ["a scan from the fourth lane on"] = [[
  if (lane < 3) { out[i] = 0; return; }
  for (ushort d = 1; d < 32; d *= 2) {
    uint t = simd_shuffle_up(v, d);
    v += lane >= d + 3 ? t : 0;
  }
  out[i] = v;]],
  ["a tree in the first lanes, whose rest is of no use"] = [[
  if (lane >= 4 || here < 4) return;
  for (ushort d = 2; d > 0; d /= 2) v += simd_shuffle_down(v, d);
  if (lane == 0) out[i] = v;]],
  ["half"] = [[
  half h = half(v), t = simd_shuffle_xor(h, 8);
  h = (lane ^ 8u) < here ? h + t : h;
  out[i] = uint(h);]],
  ["a vector"] = [[
  float4 f = float4(v), t = simd_shuffle_down(f, 2);
  if (lane + 2u < here) f += t;
  out[i] = uint(f.x + f.w);]],
  ["one component of a vector"] = [[
  uint4 w = simd_shuffle_xor(uint4(v, 1, 2, 3), 16);
  w.y = 1;
  w.xzw = uint3(0);
  out[i] = w.x + w.y + w.z + w.w;]],
  ["an array"] = [[
  uint a[5], s = 0;
  for (ushort k = 0; k < 5; k++) a[k] = simd_shuffle_xor(v, 1 << k);
  for (ushort k = 0; k < 5; k++)
    if ((lane ^ 1u << k) < here) s += a[k];
  out[i] = s;]],
  ["a struct, of which one member is used"] = [[
  Pair p = {simd_shuffle_xor(v, 2), i}, q = p;
  if ((lane ^ 2u) >= here) q.key = v;
  out[i] = q.key + q.at;]],
  ["a butterfly with a guard"] = [[
  for (ushort d = 16; d > 0; d /= 2) {
    uint t = simd_shuffle_xor(v, d);
    if ((lane ^ d) < here) v = max(v, t);
  }
  out[i] = v;]],
  ["a comparison, asked behind the guard"] = [[
  bool more = simd_shuffle_xor(v, 1) > v;
  if ((lane ^ 1u) < here && more) v = 0;
  out[i] = v;]],
  ["a broadcast, used by whole SIMD-groups"] = [[
  uint last = simd_broadcast(v, 31);
  if (here == 32) v -= last;
  out[i] = v;]],
  ["a bool2 behind a guard"] = [[
  bool2 b = simd_shuffle_xor(bool2(v > 3, v > 4), 16);
  out[i] = (lane ^ 16u) < here ? uint(b.x) : v;]],
  ["the other of two bools"] = [[
  bool2 b = bool2(simd_shuffle_xor(v > 3, 16), true);
  out[i] = b.y;]],
  ["a quad"] = [[
  uint t = quad_shuffle_xor(v, 2);
  out[i] = (lane ^ 2u) < here ? t : 0;]],
  ["a rotation"] = [[
  uint t = simd_shuffle_rotate_down(v, 9);
  out[i] = (lane + 9u) % 32 < here ? t : v;]],
  ["a value that is overwritten"] = [[
  uint t = simd_shuffle_xor(v, 16);
  t = 3;
  out[i] = t;]],
  ["by reference"] = [[
  uint t;
  fetch(t, v, 16);
  out[i] = (lane ^ 16u) < here ? t : 1;]],
  ["at a variable index"] = [[
  uint4 w = 0;
  for (ushort k = 0; k < 4; k++) w[k] = simd_shuffle_xor(v, 1 << k);
  for (ushort k = 0; k < 4; k++)
    if ((lane ^ 1u << k) >= here) w[k] = 0;
  out[i] = w.x + w.y + w.z + w.w;]],
  ["a table too large for flags, written behind the guard"] = [[
  uint big[1024];
  uint t = simd_shuffle_xor(v, 16);
  if ((lane ^ 16u) >= here) t = 0;
  for (uint k = 0; k < 1024; k++) big[k] = t + k;
  out[i] = big[v % 1024];]],
  ["a sum over the SIMD-group that leaves it out"] = [[
  uint t = simd_shuffle_xor(v, 16);
  out[i] = simd_sum((lane ^ 16u) < here ? t : 0u);]],
  ["a divergent loop"] = [[
  uint s = 0;
  for (uint k = 0; k < x[i] % 5; k++) {
    uint t = simd_shuffle_xor(v, 1);
    s += x[i ^ 1] % 5 > k && (lane ^ 1u) < here ? t : 1;
  }
  out[i] = s;]],
}

local USED = {
  ["of a bool2"] = [[
  bool2 b = simd_shuffle_xor(bool2(v > 3, v > 4), 16); // HERE
  out[i] = uint(b.x) + b.y;]],
  ["of a bool4, by its last"] = [[
  bool4 b = bool4(true, true, true, simd_shuffle_xor(v > 3, 16)); // HERE
  out[i] = b.w;]],
  ["stored"] = [[
  out[i] = simd_shuffle_xor(v, 16); // HERE]],
  ["computed with, and stored"] = [[
  uint t = simd_shuffle(v, ushort(lane + 1)); // HERE
  float f = sqrt(float(t * 3 + v));
  out[i] = uint(f);]],
  ["decides a branch"] = [[
  if (simd_shuffle_xor(v, 16) > 3) // HERE
    out[i] = 1;
  else
    out[i] = 2;]],
  ["decides a loop"] = [[
  uint t = simd_shuffle_xor(v, 16) % 7, s = 0; // HERE
  for (uint k = 0; k < t; k++) s += x[k];
  out[i] = s;]],
  ["is an index"] = [[
  uint t = simd_shuffle_xor(v, 16); // HERE
  out[i] = x[t % 8];]],
  ["in an atomic"] = [[
  uint t = simd_shuffle_xor(v, 16); // HERE
  atomic_fetch_add_explicit(sum, t, memory_order_relaxed);
  out[i] = 0;]],
  ["in threadgroup memory"] = [[
  tile[g] = simd_shuffle_xor(v, 16); // HERE
  out[i] = tile[g];]],
  ["a guard that lets one too many pass"] = [[
  uint t = simd_shuffle(v, ushort(lane + 1)); // HERE
  out[i] = lane + 1u <= here ? t : v;]],
  ["the guard of another distance"] = [[
  uint t = simd_shuffle_xor(v, 16); // HERE
  out[i] = (lane ^ 8u) < here + 8 ? t : v;]],
  ["a butterfly"] = [[
  for (ushort d = 16; d > 0; d /= 2)
    v = max(v, simd_shuffle_xor(v, d)); // HERE
  out[i] = v;]],
  ["carried on by a second shuffle"] = [[
  uint t = simd_shuffle_xor(v, 16); // HERE
  uint s = simd_shuffle_up(t, 1);
  out[i] = s + v;]],
  ["a reduction"] = [[
  uint t = simd_shuffle_xor(v, 16); // HERE
  out[i] = simd_sum(t);]],
  ["the number of a lane"] = [[
  ushort t = ushort(simd_shuffle_xor(v, 16)) % 4; // HERE
  out[i] = simd_shuffle(v, t);]],
  ["an array"] = [[
  uint a[4], s = 0;
  for (ushort k = 0; k < 4; k++)
    a[k] = simd_shuffle_xor(v, 2 << k); // HERE
  for (ushort k = 0; k < 4; k++)
    if ((lane ^ 2u << k) < here + 16) s += a[k];
  out[i] = s;]],
  ["a table too large for flags"] = [[
  uint big[1024];
  for (uint k = 0; k < 1024; k++) big[k] = k;
  big[i] = simd_shuffle_xor(v, 16); // HERE
  out[i] = big[v % 1024];]],
  ["a struct that is stored as a whole"] = [[
  Row r = {{1, 2, 3}};
  r.v[2] = simd_shuffle_xor(v, 16); // HERE
  rows[i] = r;
  out[i] = 0;]],
  ["by reference"] = [[
  uint t;
  fetch(t, v, 16);
  out[i] = t;]],
  ["through a pointer"] = [[
  uint t = simd_shuffle_xor(v, 16); // HERE
  out[i] = twice(&t);]],
  ["at a variable index"] = [[
  uint4 w = 0;
  w[v % 4] = simd_shuffle_xor(v, 16); // HERE
  out[i] = w.x + w.y + w.z + w.w;]],
  ["one of several variables"] = [[
  uint a = 0, b = 0;
  thread uint *p = v % 2 ? &a : &b;
  *p = simd_shuffle_xor(v, 16); // HERE
  out[i] = a + b;]],
  ["half in a vector"] = [[
  half4 h = half4(1);
  h.yz = simd_shuffle_xor(half2(v), 16); // HERE
  out[i] = uint(h.x + h.z);]],
  ["a quad"] = [[
  out[i] = quad_broadcast(v, 3) + quad_shuffle_xor(v, 2); // HERE]],
  ["in a switch"] = [[
  switch (simd_shuffle_xor(v, 16)) { // HERE
    case 0: out[i] = 3; break;
    case 1: out[i] = 5; break;
    default: out[i] = 7;
  }]],
  ["a rotation among lanes that have left"] = [[
  if (lane % 4 == 3) { out[i] = 0; return; }
  out[i] = simd_shuffle_rotate_down(v, 1); // HERE]],
}

-- grid, threads of a group, and how many of all threads go on. In each the
-- last SIMD-group has a lane without its partner, at all distances above.
local LAUNCHES = { { 64, 64, 47 }, { 43, 43, 43 }, { 96, 32, 65 },
  { 13, 13, 5 } }
local WHOLE = { { 64, 64, 64 }, { 96, 32, 96 } }

local function check_all(body, launches, test)
  local k = gpu.kernel(HEAD .. body .. "\n}\n")
  for _, l in ipairs(launches) do
    test(check { k, gpu.buffer("uint", 128):iota(), gpu.buffer("uint", 128),
      l[3], gpu.buffer(1536), gpu.buffer("uint", 1), grid = l[1],
      group = l[2], outputs = {}, schedules = 1 },
      ("%d threads in groups of %d, of which %d go on:\n"):format(l[1], l[2],
        l[3]))
  end
end

-- The lines of the source that are marked.
local function marked(body)
  local lines, number = {}, 0
  local own = body:find "// HERE"
  for line in (HEAD .. body .. "\n"):gmatch "(.-)\n" do
    number = number + 1
    if line:find "// HERE" and (not own or number > 8) then
      lines[number] = true
    end
  end
  return lines
end

local function is_clean(r, launch) t.ok(r.ok, launch .. tostring(r)) end

-- Thread by thread one in four is tried, all with METTLE_TESTS=all.
local every = os.getenv "METTLE_ENGINE" == "scalar"
  and os.getenv "METTLE_TESTS" ~= "all" and 4 or 1
local function each(list, f)
  local names = {}
  for name in pairs(list) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do
    if i % every == 0 then f(name, list[name]) end
  end
end

gpu.use "host"
each(UNUSED, function(name, body)
  t.test("not used: " .. name, function()
    check_all(body, LAUNCHES, is_clean)
    check_all(body, WHOLE, is_clean)
  end)
end)

each(USED, function(name, body)
  local lines = marked(body)
  t.test("used: " .. name, function()
    check_all(body, LAUNCHES, function(r, launch)
      t.ok(#r > 0, launch .. "not found")
      for _, f in ipairs(r) do
        t.ok(f.kind == "inactive-lane" and lines[f.line], launch .. f.text)
      end
    end)
  end)
end)

local AGAIN = "METTLE_ENGINE=scalar"
if os.getenv "METTLE_ENGINE" ~= "scalar" then
  t.test("thread by thread the same", function()
    local pipe = io.popen(("%s '%s' tests/lua/check/test_check_lanes.lua 2>&1"):format(
      AGAIN, os.getenv "METTLE" or "build/mettle"))
    local text = pipe:read "a"
    t.ok(pipe:close() and text:find "ok 10", text)
  end)
end
t.done()
