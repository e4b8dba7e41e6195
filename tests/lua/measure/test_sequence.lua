-- test_sequence.lua - compare, sweep, profile and check of a function with
-- launches in it: lua/workload/sequence.lua, sequence.lua of check, profile and
-- record, and the map of accesses of the profiler.
--
-- Guards: lua/workload/sequence.lua, lua/workload/sequence.lua of lua/check,
-- profile and record: compare, sweep, profile and check of a function with
-- launches in it; races between launches; lua/check/sequence.lua,
-- lua/profile/sequence.lua, lua/record/sequence.lua
local t = dofile "tests/tap.lua"
t.compiler "a function with launches in it"

local library = gpu.library [=[
#include <metal_stdlib>
using namespace metal;
kernel void scale(device float *x [[buffer(0)]], constant float &by [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) { x[i] *= by; }
kernel void add(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]],
                device float *c [[buffer(2)]], uint i [[thread_position_in_grid]]) { c[i] = a[i] + b[i]; }
kernel void tally(device const float *x [[buffer(0)]], device atomic_uint *n [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  if (x[i] > 0) atomic_fetch_add_explicit(n, 1u, memory_order_relaxed);
}
kernel void set(device uint *n [[buffer(0)]]) { n[0] = 5; }
kernel void uses(device float *x [[buffer(0)]], constant uint &n [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) { x[i] = float(n); }
kernel void off(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i + 1] = 1; }
kernel void bytes(device uchar *x [[buffer(0)]], constant uint &first [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) { x[2 * i + first] = 1; }
kernel void paint(texture2d<float, access::write> image [[texture(0)]],
                  uint2 p [[thread_position_in_grid]]) { image.write(float4(1), p); }
kernel void look(texture2d<float, access::read> image [[texture(0)]], device float *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) { out[p.y * 4 + p.x] = image.read(p).x; }
]=]
local k = setmetatable({}, { __index = function(all, name)
  all[name] = library:kernel(name)
  return all[name]
end })

local N = 1000
local function buffers()
  return gpu.buffer(N):fill(1), gpu.buffer(N):fill(2), gpu.buffer(N)
end

-- x = 2, y = 6, z = 8
local function work(x, y, z)
  return function()
    k.scale { x, 2, grid = N }
    k.scale { y, 3, grid = N }
    gpu.barrier()
    k.add { x, y, z, grid = N }
  end
end

local function fails(words, f, ...)
  local ok, why = pcall(f, ...)
  t.ok(not ok, "it must fail: " .. words)
  t.has(tostring(why), words)
end

---------------------------------------------------------------------- compare

t.test("compare: verified, timed as a whole and launch by launch", function()
  local x, y, z = buffers()
  local r = compare { work(x, y, z), budget = 0.02, cpu = function(out)
    out.c:fill(8)
  end }
  -- what no later launch reads is compared, under its parameter's name
  t.equal(r.ok, true, r.check.text)
  t.equal(#r.check.reports, 1)
  t.equal(r.check.reports[1].name, "c")
  t.ok(r.base.median > 0)
  t.equal(#r.launches, 3)
  t.equal(r.launches[3].kernel, "add")
  t.ok(math.abs(r.launches[1].share + r.launches[2].share
    + r.launches[3].share - 1) < 1e-9)
  t.has(tostring(r), "3  add")
  -- a GPU that times a command buffer as a whole: each launch once more by
  -- itself
  local whole = gpu.device.name == "metal"
    and tonumber((gpu.device.families or ""):match "Apple (%d+)" or 0) < 7
  t.equal(r.launches.alone, whole or nil)
  t.has(r:timeline(), whole and "timed with the others" or "█")
  t.equal(x[0], 2, "one run's answer is left")
  t.equal(y[0], 6)
  t.equal(z[N - 1], 8)
end)

t.test("compare: a wrong answer, outputs by a name of one's own, verify, before", function()
  local x, y, z = buffers()
  local r = compare { work(x, y, z), outputs = { sum = z }, budget = 0.02,
    cpu = function(out) out.sum:fill(9) end }
  t.equal(r.ok, false)
  t.has(r.check.text, "sum")
  x:fill(1) y:fill(2)
  local got
  r = compare { work(x, y, z), outputs = { sum = z }, budget = 0.02,
    verify = function(outputs)
      got = outputs return outputs.sum[5] == 8, "not 8"
    end }
  t.equal(r.ok, true, r.check.text)
  t.ok(got.sum == z)
  local calls = 0
  r = compare { work(x, y, z), outputs = { sum = z }, budget = 0.02,
    before = function() calls = calls + 1 x:fill(1) y:fill(2) end,
    cpu = function(out) out.sum:fill(8) end }
  t.equal(r.ok, true, r.check.text)
  t.ok(calls > 3)
  t.equal(z[0], 8)
end)

t.test("compare: elements that the launches leave out are found", function()
  local x, y, z = buffers()
  local r = compare { function()
    k.scale { x, 2, grid = N }
    k.add { x, y, z, grid = N - 10 }
  end, budget = 0.02, cpu = function(out) out.c:fill(4) end }
  t.equal(r.ok, false)
end)

t.test("mistakes get a sentence each", function()
  local x, y, z = buffers()
  fails("launches nothing", compare, { function() end })
  fails("arguments and sizes are those of its launches", compare, { work(x, y, z), grid = 5 })
  fails("cpu is a function, which gets the outputs by name", compare, { work(x, y, z), cpu = cpu.add })
  fails("outputs are buffers or textures that the launches write", compare, { work(x, y, z), outputs = { 1 } })
  fails("profile takes a function alone", profile, { work(x, y, z), grid = 5 })
  fails("check of a function takes concurrent", check, { work(x, y, z), outputs = { "x" } })
  fails("concurrent is true or false", check, { work(x, y, z), concurrent = 1 })
  fails("every launch of the function is by groups", sweep, { function()
    k.scale { x, 2, groups = 4, group = 32 }
    k.scale { y, 2, groups = 4, group = 32 }
  end })
  fails("needs over", sweep, { function() end })
  t.equal(x[0], 1, "and nothing ran")
end)

------------------------------------------------------------------------ sweep

t.test("sweep: sizes of all launches by grid, and any parameter", function()
  local x, y, z = buffers()
  local r = sweep { work(x, y, z), outputs = { z }, budget = 0.01,
    group_sizes = { 32, 256 } }
  t.equal(#r.points, 2)
  t.ok(r.best and not r.points[1].wrong, tostring(r))
  r = sweep { function(p)
    return { function()
      k.scale { x, 1, grid = p.n }
      k.add { x, y, z, grid = p.n }
    end, outputs = { sum = z } }
  end, over = { n = { 100, 1000 } }, budget = 0.01 }
  t.equal(#r.points, 2)
  t.ok(r.points[1].median and r.points[2].median)
end)

---------------------------------------------------------------------- profile

t.test("profile: the counters of all launches, added up", function()
  local x, y, z = buffers()
  local all = profile(work(x, y, z))
  local one, two = profile { k.scale, x, 2, grid = N },
    profile { k.add, x, y, z, grid = N }
  t.equal(#all.launches, 3)
  t.equal(all.device_reads, 2 * one.device_reads + two.device_reads)
  t.equal(all.total.issued.memory, 2 * one.total.issued.memory
    + two.total.issued.memory)
  t.equal(all.operations, 3 * N)
  t.equal(all.unique_bytes, 4 * N * 5)
  t.ok(math.abs(all.intensity - 3 / 20) < 1e-9)
  t.has(tostring(all), "profile of 3 launches")
  t.has(tostring(all), "Launch 3 has most of the cost")
  t.equal(require "mettle.json".decode(all:json()).launches[3].kernel, "add")
  t.equal(x[0], 1, "what they held is back")
  t.equal(z[0], 0)
end)

t.test("profile: a launch sees what the one before it wrote", function()
  local n, x = gpu.buffer("uint", 1), gpu.buffer(64)
  local all = profile { function()
    k.set { n, grid = 1 }
    k.uses { x, n, grid = 64 }
  end }
  t.equal(all.launches[2].threads, 64)
  t.equal(n[0], 0)
end)

------------------------------------------------------------------------ check

local function races(f)
  local r = check { f, concurrent = true }
  local list = {}
  for _, one in ipairs(r) do
    t.equal(one.kind, "race")
    list[#list + 1] = ("%d %d %s %s[%d] %s %s[%d] %d"):format(one.launches[1], one.launches[2], one.other_how,
      one.other_buffer, one.other_index, one.how, one.buffer, one.index,
      one.count)
  end
  return table.concat(list, "; "), r
end

t.test("check: launches without a barrier in between that touch the same", function()
  local x, y, z = buffers()
  local text, r = races(function()
    k.scale { x, 2, grid = N }
    k.add { x, y, z, grid = 500 }
  end)
  t.equal(text, "1 2 write x[0] read a[0] 500")
  t.equal(r.ok, false)
  t.has(tostring(r), "launch 1 (scale) writes x[0] and launch 2 (add) reads a[0]")
  t.has(tostring(r), "gpu.barrier() between launch 1 and launch 2")
  t.equal(require "mettle.json".decode(r:json())[1].kind, "race")
  t.equal((races(work(x, y, z))), "", "a barrier orders them")
  t.equal(check(work(x, y, z)).ok, true, "and so does a serial encoder")
  t.equal((races(function()
    k.scale { x:view(10, 90), 2, grid = 90 }
    k.scale { y, 2, grid = N }
    k.scale { x:view(50, 100), 2, grid = 100 }
  end)), "1 3 write x[40] write x[0] 50", "of views the elements that they share")
  t.equal(x[60], 1, "what they held is back")
end)

t.test("check: what is no race", function()
  local x, y = buffers()
  local n = gpu.buffer("uint", 1)
  t.equal((races(function()
    k.tally { x, n, grid = N } k.tally { y, n, grid = N }
  end)), "", "two atomics")
  t.equal((races(function()
    k.scale { x:view(0, 500), 2, grid = 500 }
    k.scale { x:view(500, 500), 2, grid = 500 }
  end)),
    "", "two halves of a buffer")
  local b = gpu.buffer("uchar", 64)
  t.equal((races(function()
    k.bytes { b, 0, grid = 32 } k.bytes { b, 1, grid = 32 }
  end)), "", "bytes side by side")
end)

t.test("check: an atomic and a plain read, a constant, a texture", function()
  local x = gpu.buffer(64):fill(1)
  local n, image = gpu.buffer("uint", 1), gpu.texture {
    format = "r32float", width = 4, height = 4 }
  t.equal((races(function()
    k.tally { x, n, grid = 64 } k.set { n, grid = 1 }
  end)), "1 2 atomic n[0] write n[0] 1")
  t.equal((races(function()
    k.set { n, grid = 1 } k.uses { x, n, grid = 64 }
  end)), "1 2 write n[0] read n[0] 1")
  local text, r = races(function()
    k.paint { image, grid = { 4, 4 } } k.look { image, x, grid = { 4, 4 } }
  end)
  t.equal(text, "1 2 write image[0] read image[0] 1")
  t.has(r[1].message, "the same texture")
end)

t.test("what is inside of an argument buffer is compared, restored and raced for, too", function()
  local lib = gpu.library [=[
#include <metal_stdlib>
using namespace metal;
struct Job { device float *out; device const float *in; texture2d<float, access::read> image; };
kernel void job(constant Job &j [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  j.out[i] = j.in[i] + j.image.read(uint2(0, 0)).x;
}
kernel void many(array<texture2d<float, access::write>, 2> t [[texture(0)]],
                 uint i [[thread_position_in_grid]]) { t[i].write(float4(i + 1), uint2(0, 0)); }
]=]
  local job, many = lib:kernel "job", lib:kernel "many"
  local a, b, images = gpu.buffer(8), gpu.buffer(8):fill(2), {}
  for i = 1, 2 do
    images[i] = gpu.texture { format = "r32float", width = 1, height = 1 }
  end
  local function work()
    many { images, grid = 2 }
    gpu.barrier()
    job { { out = a, ["in"] = b, image = images[2] }, grid = 8 }
    gpu.barrier()
    k.scale { a, 10, grid = 8 }
  end
  t.equal((races(work)), "")
  t.equal(a[0], 0, "restored")
  t.equal(images[2]:read()[0], 0)
  t.equal(profile(work).launches[3].kernel, "scale")
  t.equal(a[0], 0)
  local r = compare { work, outputs = { a = a }, cpu = function(out)
    out.a:fill(40)
  end, budget = 0.01 }
  t.equal(r.ok, true, r.check.text)
  t.equal((races(function()
    many { images, grid = 2 }
    job { { out = a, ["in"] = b, image = images[2] }, grid = 8 }
    k.scale { a, 10, grid = 8 }
  end)), "1 2 write t[0] read j.image[0] 1; 2 3 write j.out[0] write x[0] 8")
end)

t.test("check: findings of one launch say which", function()
  local x, y = buffers()
  local r = check { function()
    k.scale { x, 2, grid = N }
    k.off { y, grid = N }
    k.scale { y, 2, grid = N }
  end }
  t.equal(#r, 1)
  t.equal(r[1].kind, "out-of-bounds")
  t.equal(r[1].launch, 2)
  t.has(tostring(r), "launch 2 (off):")
  t.has(tostring(r), "1 finding in 3 launches")
end)

t.test("record: each launch sees what the ones before it left", function()
  local x, y, z = gpu.buffer(32):fill(1), gpu.buffer(32):fill(2), gpu.buffer(32)
  local r = record(function()
    k.scale { x, 3, grid = 32 }
    k.add { x, y, z, grid = 32 }
  end)
  t.equal(#r, 2)
  t.has(tostring(r[1]:thread(4)), "x[4] = 3")
  t.has(tostring(r[2]:thread(4)), "c[4] = 5")
  t.has(tostring(r), "2  add")
  t.equal(x[4], 1.0) -- all is as it was
  t.equal(z[4], 0.0)
  t.equal(#record { function() k.scale { x, 3, grid = 32 } end,
    threads = { 0, 5 } }, 1)
  t.raises("record takes a function alone", record, { work(x, y, z), grid = 3 })
  t.raises("launches nothing", record, function() end)
  t.raises("launch 2 of 2 (scale)", record, { function()
    k.scale { x, 3, grid = 32 }
    k.scale { gpu.buffer(1000), 3, grid = 1000 }
  end, events = 300 })
end)

t.done()
