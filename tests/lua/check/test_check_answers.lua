-- test_check_answers.lua - which answers check takes for the same when threads
-- run in another order, and how it shows those that differ. Each kernel that is
-- clean has a twin whose answer really depends on the order.
--
-- Guards: devices/host/check/answers.c, devices/host/instrument/float_bits.c:
-- which answers of two orders are the same: floats in integers are compared and
-- shown as floats, a list that threads append to is unordered
-- (devices/host/instrument/drawn_places.c); each clean kernel has a twin that
-- differs
local t = dofile "tests/tap.lua"
t.compiler "check{…}"

local function kernel(params, body)
  return gpu.kernel(([=[
#include <metal_stdlib>
using namespace metal;
struct Sum { atomic_uint count; atomic_uint total; };
kernel void add(device const float *x [[buffer(0)]], %s [[buffer(1)]],
                uint i [[thread_position_in_grid]],
                uint lane [[thread_index_in_simdgroup]]) {
  %s
}
]=]):format(params, body))
end

-- out gets 'next', made from the bits 'old', by compare-and-exchange
local function exchanged(next, place)
  return ([=[
  device atomic_uint *at = %s;
  uint old = atomic_load_explicit(at, memory_order_relaxed), next;
  do next = %s;
  while (!atomic_compare_exchange_weak_explicit(at, &old, next,
           memory_order_relaxed, memory_order_relaxed));
]=]):format(place or "out", next)
end

local function spread(n)
  return gpu.buffer(n):fill(function(i)
    return (i * 7919 % 1000) / 7
  end)
end

local function checked(k, out, tolerance)
  return check { k, spread(1024), out, grid = 1024, group = 64, outputs = {},
    schedules = 3, tolerance = tolerance }
end

---------------------------------------------------------------- bits of floats

local atomic = "device atomic_uint *out"

-- what is clean: its parameter, its body, the tolerance if not the usual one
local rounded = {
  ["a float in a uint"] = { atomic,
    exchanged "as_type<uint>(as_type<float>(old) + x[i])" },
  ["a float that is only changed sometimes"] = { atomic,
    exchanged "x[i] > 3 ? as_type<uint>(as_type<float>(old) + x[i]) : old" },
  ["a bfloat in a uint"] = { atomic, exchanged
    "as_type<uint>(bfloat2(bfloat(float(as_type<bfloat2>(old).x) + x[i] / 4096), 1))", 0.2 },
  ["two halves in a uint"] = { atomic, exchanged
    "as_type<uint>(as_type<half2>(old) + half2(half(x[i] / 4096), 1.0h / 1024))", 0.01 },
  ["halves put together by shifts"] = { atomic, exchanged [=[
    (uint)as_type<ushort>(half(as_type<half2>(old).x + half(x[i] / 4096)))
      | (uint)as_type<ushort>(half(0.5h)) << 16]=], 0.01 },
  ["a float beside a count"] = { "device Sum *out",
    "atomic_fetch_add_explicit(&out->count, 1u, memory_order_relaxed);"
    .. exchanged("as_type<uint>(as_type<float>(old) + x[i])", "&out->total") },
  ["a float in one of two places"] = { atomic,
    exchanged("as_type<uint>(as_type<float>(old) + x[i])", "out + i % 2") },
}

-- what is not: the numbers that are shown, or false where there are none
local different = {
  ["floats that lose what is small"] = { atomic,
    exchanged "as_type<uint>(as_type<float>(old) * 0.5f + x[i])",
    "%(seed %d+%): [%d.]+ at first, [%d.]+ in this order" },
  ["halves"] = { atomic,
    exchanged "as_type<uint>(half2(as_type<half2>(old).x * 0.5h + half(x[i]), 2))",
    "%(seed %d+%): %([%d.]+, 2%) at first, %([%d.]+, 2%) in this order" },
  ["integers by compare-and-exchange"] = { atomic, exchanged "old * 2 + i" },
  ["the last of integers that were floats for a moment"] = { atomic,
    "atomic_store_explicit(out, as_type<uint>(as_type<float>(i)), memory_order_relaxed);" },
  ["a byte of a float"] = { atomic,
    "atomic_store_explicit(out, (as_type<uint>(x[i]) >> 15) & 255, memory_order_relaxed);" },
  ["a number below a float"] = { atomic, [=[
  uint2 both = uint2(i, as_type<uint>(1.5f + x[i] * 0));
  atomic_store_explicit(out, both.x, memory_order_relaxed);
  atomic_store_explicit(out + 1, both.y, memory_order_relaxed);]=] },
  ["floats, and then a number"] = { atomic,
    exchanged "as_type<uint>(as_type<float>(old) + x[i])"
    .. "atomic_store_explicit(out, i, memory_order_relaxed);" },
  ["a count beside a float"] = { "device Sum *out",
    "atomic_store_explicit(&out->count, i, memory_order_relaxed);"
    .. exchanged("as_type<uint>(as_type<float>(old) + x[i])", "&out->total") },
}

local function in_order(list)
  local names = {}
  for name in pairs(list) do names[#names + 1] = name end
  table.sort(names)
  return ipairs(names)
end

for _, name in in_order(rounded) do
  t.test("rounding: " .. name, function()
    local k, out = kernel(rounded[name][1], rounded[name][2]),
      gpu.buffer("uint", 2)
    local r = checked(k, out, rounded[name][3])
    t.ok(r.ok, tostring(r))
    t.ok(not checked(k, out, 0).ok, "the orders give one and the same sum")
  end)
end

for _, name in in_order(different) do
  t.test("a difference: " .. name, function()
    local r = checked(kernel(different[name][1], different[name][2]),
      gpu.buffer("uint", 2))
    t.equal(#r, 1, tostring(r))
    t.equal(r[1].kind, "schedule")
    t.ok(r[1].message:find(different[name][3] or "differently"), r[1].message)
  end)
end

t.test("a float as four bytes, and two in a vector of words", function()
  local sum = "float sum = 0; for (uint k = 0; k < 64; k++) sum += x[atomic_fetch_add_explicit(next, 1u, memory_order_relaxed) % 1024];"
  for buffer, put in pairs { uchar4 = "as_type<uchar4>(sum)",
      uint2 = "as_type<uint2>(float2(sum, 1))" } do
    local k = kernel("device " .. buffer
      .. " *out [[buffer(2)]], device atomic_uint *next",
      sum .. ("if (i == 0) out[0] = %s;"):format(put))
    local function run(tolerance)
      return check { k, spread(1024), gpu.buffer(buffer, 1),
        gpu.buffer("uint", 1), grid = 16, group = 1, outputs = {},
        tolerance = tolerance }
    end
    t.ok(run(1).ok, tostring(run(1)))
    t.ok(not run(1e-3).ok)
  end
end)

------------------------------------------------------------------------ lists

-- a kernel that appends: its body, with the list 'out' and the counter 'count'
local function appended(body, n)
  local k = gpu.kernel([=[
#include <metal_stdlib>
using namespace metal;
kernel void collect(device const float *x [[buffer(0)]],
                    device float *out [[buffer(1)]],
                    device atomic_uint *count [[buffer(2)]],
                    uint i [[thread_position_in_grid]],
                    uint t [[thread_index_in_threadgroup]],
                    uint lane [[thread_index_in_simdgroup]]) {
]=] .. body .. "}")
  return check { k, spread(256), gpu.buffer(n or 256), gpu.buffer("uint", 1),
    grid = 256, group = 64, outputs = {} }
end

local draw = "uint at = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);\n"
local lists = {
  ["by thread"] = draw .. "out[at] = x[i];",
  ["from the end"] = draw .. "out[255 - at] = x[i];",
  ["some threads"] = "if (x[i] > 60) {" .. draw .. "out[at] = x[i]; }",
  ["by SIMD-group"] = [=[
  bool takes = x[i] > 60;
  uint before = simd_prefix_exclusive_sum(takes ? 1u : 0u), all = simd_sum(takes ? 1u : 0u), at = 0;
  if (lane == 0) at = atomic_fetch_add_explicit(count, all, memory_order_relaxed);
  at = simd_broadcast_first(at);
  if (takes) out[at + before] = x[i];]=],
  ["by threadgroup"] = [=[
  threadgroup uint first;
  if (t == 0) first = atomic_fetch_add_explicit(count, 64u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[first + t] = x[i];]=],
}
local no_lists = {
  ["less room than elements"] = { draw .. "if (at < 32) out[at] = x[i];", 32 },
  ["elements that depend on their place"] = { draw .. "out[at] = x[i] * at;" },
  ["places of one's own"] = { draw .. "out[i] = at;" },
  ["a list, and the last of all"] = {
    draw .. "out[at] = x[i]; if (at == 255) out[i] = at;" },
}

for _, name in in_order(lists) do
  t.test("a list is unordered, and no fault: " .. name, function()
    local r = appended(lists[name])
    t.ok(r.ok, tostring(r))
    t.equal(r.unordered, "out")
    local said = tostring(r):gsub("%s+", " ")
    local _, times = said:gsub("Unordered: threads append to out", "")
    t.equal(times, 1, said)
  end)
end

for _, name in in_order(no_lists) do
  t.test("not the order alone: " .. name, function()
    local r = appended(table.unpack(no_lists[name]))
    t.ok(not r.ok and not r.unordered, tostring(r))
    local kinds = {}
    for _, f in ipairs(r) do kinds[f.kind] = true end
    t.ok(kinds.schedule or r.differs, tostring(r))
  end)
end

------------------------------------------------- every way that a report takes

local LIST = [=[
#include <metal_stdlib>
using namespace metal;
kernel void keep(device const float *x [[buffer(0)]],
                 device float *hits [[buffer(1)]],
                 device atomic_uint *count [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  ]=] .. draw .. [=[
  hits[at] = x[i];
}
]=]

t.test("the check of a function names the lists of its launches", function()
  local keep = gpu.kernel(LIST)
  local x, count = spread(256), gpu.buffer("uint", 1)
  local hits = gpu.buffer(512)
  local r = check(function()
    keep { x, hits, count, grid = 256, group = 64 }
    keep { x, hits, count, grid = 256, group = 64 }
  end)
  t.ok(r.ok, tostring(r))
  t.equal(r.unordered, "hits")
  for launch = 1, 2 do
    t.has(tostring(r):gsub("%s+", " "),
      ("Unordered, launch %d: threads append to hits"):format(launch))
  end
end)

local function shell(words)
  local name = os.tmpname() .. ".metal"
  local file = assert(io.open(name, "w"))
  file:write(LIST)
  file:close()
  local pipe = io.popen(("'%s' check %s --grid 256 --group 64 --arg x=float[256]:iota --arg hits=float[256] --arg count=uint[1]:zero %s"):format(
    os.getenv "METTLE" or "build/mettle", name, words))
  local text = pipe:read "a"
  local _, _, status = pipe:close()
  os.remove(name)
  t.equal(status, 0, text)
  return text
end

t.test("mettle check says it beside JSON, which has findings alone", function()
  t.equal(shell "--json 2>/dev/null", "[]\n")
  t.has(shell "--json 2>&1 >/dev/null",
    "mettle check: unordered: threads append to hits by an atomic counter")
end)

t.test("SARIF has it as a note, joined logs once", function()
  local json, sarif = require "mettle.json", require "lua.check.sarif"
  local text = shell "--sarif 2>/dev/null"
  for _, log in ipairs { text, sarif.joined { text, text } } do
    local run = json.decode(log).runs[1]
    local notes = run.invocations[1].toolExecutionNotifications
    t.equal(#run.results, 0)
    t.equal(#notes, 1)
    t.equal(notes[1].level, "note")
    t.has(notes[1].message.text, "Unordered: threads append to hits")
  end
end)

----------------------------------------------------------------------- tables

-- 32 threads put keys into a table of 64, where each four want the same slot;
-- what else the thread does with its slot, and before
local function inserted(body, before, start)
  local k = gpu.kernel([=[
#include <metal_stdlib>
using namespace metal;
kernel void insert(device atomic_uint *keys [[buffer(0)]],
                   device uint *values [[buffer(1)]],
                   device atomic_uint *count [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  uint key = 100 + i, slot = i % 8 * 8;
]=] .. (before or "") .. [=[
  for (;;) {
    uint empty = 0;
    if (atomic_compare_exchange_weak_explicit(keys + slot, &empty, key,
          memory_order_relaxed, memory_order_relaxed)) break;
    if (empty != 0) slot = (slot + 1) % 64;
  }
]=] .. body .. "}")
  local keys, values = gpu.buffer("uint", 64), gpu.buffer("uint", 64)
  for slot, v in pairs(start or {}) do keys[slot], values[slot] = v, v end
  return check { k, keys, values, gpu.buffer("uint", 1), grid = 32, group = 8,
    outputs = {}, schedules = 3 }
end

local ticket = "atomic_fetch_add_explicit(count, 1u, memory_order_relaxed)"

t.test("the slots of a hash table are no fault, with values beside them",
  function()
    local r = inserted ""
    t.ok(r.ok, tostring(r))
    r = inserted "values[slot] = key * 3;"
    t.ok(r.ok, tostring(r))
    t.ok(not r.unordered)
    r = inserted("values[slot] = key * 3;", "", { [63] = 7, [62] = 9 })
    t.ok(r.ok, tostring(r))
  end)

t.test("values that do not go with the keys are one", function()
  local r = inserted(("values[slot] = key * %s;"):format(ticket))
  t.equal(#r, 1, tostring(r))
  t.equal(r[1].kind, "schedule")
  t.equal(r[1].buffer or r[1].name, "values")
  r = inserted("values[slot] = key * " .. ticket .. ";", "", { [63] = 7 })
  t.equal(#r, 1, tostring(r))
end)

t.test("keys that depend on the order are one", function()
  local r = inserted("", "key = 100 + 3 * " .. ticket .. " * (i % 3);")
  t.ok(not r.ok, tostring(r))
  t.equal(r[1].kind, "schedule")
end)

t.test("what is written otherwise is no table", function()
  local r = inserted("if (i == 0) atomic_store_explicit(keys + 63, 1u, "
    .. "memory_order_relaxed);")
  t.ok(not r.ok, tostring(r))
  t.equal(r[1].kind, "schedule")
end)

t.test("what does not change is not called unordered", function()
  local r = appended "out[i] = x[i];"
  t.ok(r.ok and not r.unordered)
end)

t.done()
