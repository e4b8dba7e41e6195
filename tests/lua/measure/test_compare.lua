-- test_compare.lua - compare, sweep and gpu.peaks: verdicts, tables, limits. No
-- assertion is about how fast anything was. Of the kernels with their group
-- built in one in three has its line tried; all with METTLE_TESTS=all.
--
-- Guards: compare, sweep, gpu.peaks, lua/workload/multiset_compare.lua,
-- lua/measure/gpu_cost.lua and lua/bind/core/json.c; never how fast anything
-- was; lua/measure/{compare, compare_devices, compare_text, peaks, rows, sweep,
-- sweep_groups, sweep_over, sweep_text}.lua, lua/workload/{arguments, objects,
-- own_launch, references, tolerance, verify, workload}.lua
local t = dofile "tests/tap.lua"
local rows = require "lua.measure.rows"
local contest = require "lua.workload.contest"

local QUICK = 0.01 -- seconds for each figure
local N = 5000

local function kernel(body, more)
  return gpu.kernel(([=[
#include <metal_stdlib>
using namespace metal;
kernel void f(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]],
              device float *c [[buffer(2)]], %s uint i [[thread_position_in_grid]]) { %s }
]=]):format(more or "", body))
end

local function buffers()
  return gpu.buffer(N):random(1, -1, 1), gpu.buffer(N):random(2, -1, 1),
    gpu.buffer(N)
end

-- a GPU has two rows: its own clock's, and with the launch
local OWN = gpu.device.is_gpu and 2 or 1

t.test("a right kernel is compared with every way of the reference", function()
  local a, b, c = buffers()
  local r = compare { kernel "c[i] = a[i] + b[i];", a, b, c, grid = N,
    group = 64, cpu = cpu.add, budget = QUICK }
  t.equal(r.ok, true)
  t.equal(#r.rows, OWN + #cpu.add.ways)
  t.equal(r.device, gpu.device.name)
  for i, row in ipairs(r.rows) do
    t.ok(row.median > 0 and row.low <= row.median and row.median <= row.high,
      row.name)
    t.near(row.bandwidth, 12 * N / row.median, 1)
    t.near(row.rate, N / row.median, 1)
    if i > OWN then t.near(row.speedup, row.median / r.rows[1].median, 1e-9) end
  end
  local text = tostring(r)
  t.has(text, "correct")
  t.has(text, gpu.device.name .. " ("); t.has(text, "CPU, one core")
  t.has(text, "the kernel is"); t.has(text, "a launch costs")
  if not gpu.device.is_gpu then
    t.has(text, "not a GPU"); t.ok(not text:find "GPU time")
  end
  for line in text:gmatch "[^\n]+" do
    if not line:find "^  !" and not line:find " on " then
      t.ok(utf8.len(line) <= 80, line)
    end
  end
  t.ok(c:equals(cpu.add(a, b)), "c holds the answer afterwards")
end)

t.test("the error that is allowed is said, and grows with the terms of a sum", function()
  local function sums(n)
    local x, y = gpu.buffer(n):random(1), gpu.buffer(1)
    local k = gpu.kernel [=[kernel void sum(device const float *x, device float *y, constant uint &n) {
      float total = 0;
      for (uint i = 0; i < n; i++) total += x[i] * 1.0000001f;
      y[0] = total;
    }]=]
    return compare { k, x, y, n, grid = 1, cpu = cpu.sum, budget = QUICK }
  end
  local few, many = sums(5000), sums(50000)
  t.equal(many.check.terms, 50000)
  t.ok(many.check.tolerance > 1.5 * few.check.tolerance)
  t.has(many.check.text, "for sums of 50,000 terms")
  local r = compare { "matmul_simdgroup", m = 16, n = 16, k = 5000,
    budget = QUICK }
  t.equal(r.ok, true, r.check.text)
  t.equal(r.check.terms, 5000)
end)

t.test("a wrong kernel gets no times", function()
  local a, b, c = buffers()
  local r = compare { kernel "c[i] = a[i] + b[i] + (i == 77 ? 1.0f : 0.0f);", a,
    b, c, grid = N, cpu = cpu.add, budget = QUICK }
  t.equal(r.ok, false)
  t.equal(#r.rows, 0)
  local text = tostring(r)
  t.has(text, "1 of 5000 elements differ"); t.has(text, "[77]"); t.has(text, "nothing was measured")
  t.ok(not text:find "faster" and not text:find "slower")
  t.raises("nothing to save", r.save, r, "x.svg")
end)

t.test("an answer from an earlier run does not pass", function()
  local a, b, c = buffers()
  cpu.add(a, b, c) -- the answer is there already
  local lazy = kernel "if (i == 0) c[i] = a[i] + b[i];"
  local r = compare { lazy, a, b, c, grid = N, cpu = cpu.add, budget = QUICK }
  t.equal(r.ok, false)
  t.has(r.check.text, "4,999 of 5,000 elements were not written, the first at [1]")
  t.ok(c:equals(cpu.add(a, b)), "the buffer holds what it held, and what one run makes of it")
  local half = kernel "c[i] = a[i] + b[i];"
  t.equal(compare({ half, a, b, c, grid = N // 2, cpu = function(x, y, z)
    cpu.add(x, y, z)
  end, budget = QUICK }).ok, false)
  local counts = gpu.buffer("uint", 100):fill(function(i) return i + 1 end)
  local k = gpu.kernel "kernel void f(device uint *c [[buffer(0)]], uint i [[thread_position_in_grid]]) { c[i] = i + 1; }"
  local function answer(z) z:fill(function(i) return i + 1 end) end
  t.equal(compare({ k, counts, grid = 50, cpu = answer, budget = QUICK }).ok,
    false)
  t.equal(compare({ k, counts, grid = 100, cpu = answer, budget = QUICK }).ok,
    true)
end)

t.test("a kernel that runs on for ever where its output holds marks", function()
  local c = gpu.buffer(100):fill(3)
  local k = gpu.kernel [=[
    kernel void doubled(device float *c [[buffer(0)]], uint i [[thread_position_in_grid]]) {
      while (c[i] < 100 && c[i] != 0) c[i] = 2 * c[i];
    }]=]
  t.equal(compare({ k, c, grid = 100, budget = QUICK, cpu = function(z)
    z:fill(192)
  end }).ok, true)
end)

t.test("a batch of references makes their arguments once", function()
  local a, b, c = buffers()
  local p = require("lua.workload.own_launch").workload(
    { kernel "c[i] = a[i] + b[i];", a, b, c, grid = N, cpu = cpu.add },
    "compare")
  p:cpu_run(p:ways()[1], 1)
  collectgarbage(); collectgarbage "stop"
  local before = collectgarbage "count"
  p:cpu_run(p:ways()[1], 1000)
  local each = (collectgarbage "count" - before) * 1024 / 1000
  collectgarbage "restart"
  t.ok(each < 2000, ("%.0f bytes for each run"):format(each))
end)

t.test("what a kernel may leave alone", function()
  local a, b, c = buffers()
  c:fill(1)
  local adds = kernel "c[i] += a[i] * b[i];"
  t.equal(compare({ adds, a, b, c, grid = N, budget = QUICK,
    cpu = function(x, y, z)
    z:fill(function(i) return z[i] + x[i] * y[i] end)
  end }).ok, true)
  local inside = gpu.kernel "kernel void f(device float *c [[buffer(0)]], uint i [[thread_position_in_grid]]) { if (c[i] < 0) c[i] = 0; }"
  t.equal(compare({ inside, a, grid = N, budget = QUICK, cpu = cpu.relu }).ok,
    true)
  local source = [=[
    #include <metal_stdlib>
    using namespace metal;
    kernel void count(device const uchar *x [[buffer(0)]], device atomic_uint *bins [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
      atomic_fetch_add_explicit(&bins[x[i]], 1, memory_order_relaxed);
    }]=]
  local x, bins = gpu.buffer("uchar", 1000):random(1, 0, 20),
    gpu.buffer("uint", 256)
  local count = gpu.kernel(source)
  t.equal(compare({ count, x, bins, grid = 1000, budget = QUICK,
    cpu = cpu.histogram }).ok, true)
  bins:fill(3) -- it adds to these
  local r = compare { count, x, bins, grid = 1000, budget = QUICK,
    cpu = cpu.histogram }
  t.equal(r.ok, false)
  t.has(r.check.text, "with bins cleared it is right: give before = function() bins:fill(0) end")
end)

t.test("a function is a reference too: it fills, or returns", function()
  local a, b, c = buffers()
  local k = kernel "c[i] = a[i] * 2 - b[i];"
  local filled = compare { k, a, b, c, grid = N, budget = QUICK,
    cpu = function(x, y, z)
    z:fill(function(i) return x[i] * 2 - y[i] end)
  end }
  t.equal(filled.ok, true)
  t.has(tostring(filled), "your function")
  local returned = compare { k, a, b, c, grid = N, budget = QUICK,
    cpu = function(x, y)
    local list = {}
    for i = 0, N - 1 do list[i + 1] = x[i] * 2 - y[i] end
    return list
  end }
  t.equal(returned.ok, true)
  local wrong = compare { k, a, b, c, grid = N, budget = QUICK,
    cpu = function(x) return x end }
  t.equal(wrong.ok, false)
end)

t.test("numbers of the kernel go where the reference wants one", function()
  local a, b, c = buffers()
  local k = kernel("c[i] = k * a[i] + b[i];", "constant float &k [[buffer(3)]],")
  t.equal(compare({ k, a, b, c, 2.5, grid = N, cpu = cpu.saxpy,
    budget = QUICK }).ok, true)
  t.equal(compare({ k, a, b, c, k = 2.5, grid = N, cpu = cpu.saxpy,
    budget = QUICK }).ok, true)
end)

t.test("what the kernel adds to starts from what it held", function()
  local k = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void total(device const float *x [[buffer(0)]], device atomic_float *sum [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(sum, x[i], memory_order_relaxed);
}]=]
  local x, sum = gpu.buffer(100):fill(1), gpu.buffer(1)
  local r = compare { k, x, sum, grid = 100, cpu = cpu.sum, budget = QUICK }
  t.equal(r.ok, true)
  t.equal(sum[0], 100, "as after one run")
  r = compare { k, x, sum, grid = 100, cpu = cpu.sum, budget = QUICK }
  t.equal(r.ok, false, "100 was in it")
  r = compare { k, x, sum, grid = 100, cpu = cpu.sum, budget = QUICK,
    before = function() sum:fill(0) end }
  t.equal(r.ok, true)
end)

t.test("a texture that is written is compared and swept like a buffer", function()
  local k = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void inverted(texture2d<float, access::read> a [[texture(0)]], texture2d<float, access::write> b [[texture(1)]],
                     uint2 p [[thread_position_in_grid]]) {
  if (p.x < 40 && p.y < 30) b.write(1.0f - a.read(p), p);
}]=]
  local a = gpu.texture("r32float", 40, 30):write(gpu.buffer(30, 40):random(1))
  local b = gpu.texture("r32float", 40, 30)
  local function reference(x, out)
    local flat = x:read():reshape(1200)
    return out:reshape(1200):fill(function(i) return 1 - flat[i] end)
  end
  local r = compare { k, a, b, grid = { 40, 30 }, group = { 8, 8 },
    cpu = reference, budget = QUICK }
  t.equal(r.ok, true)
  t.equal(r.bytes, 2 * 40 * 30 * 4, "pixels count as memory that is moved")
  t.equal(compare({ k, a, b, grid = { 40, 29 }, cpu = reference,
    budget = QUICK }).ok, false, "what an earlier run left does not pass")
  r = compare { k, a, b, grid = { 40, 30 }, cpu = function(x, out)
    return out:fill(0.5)
  end, budget = QUICK }
  t.has(tostring(r), "got") -- the wrong elements are shown
  r = sweep { k, a, b, grid = { 40, 30 }, group_sizes = { { 8, 8 }, { 32, 4 } },
    cpu = reference, budget = QUICK }
  t.ok(r.points[1].median and r.points[2].median)
  t.equal(r.verified, true)
end)

t.test("before is called ahead of every timed run", function()
  local k = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void append(device atomic_uint *count [[buffer(0)]], device uint *list [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint at = atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
  if (at < 100) list[at] = i; else list[99] = 1000000;
}]=]
  local count, list, calls = gpu.buffer("uint", 1), gpu.buffer("uint", 100), 0
  local r = compare { k, count, list, grid = 100, budget = QUICK,
    unordered = "list",
    before = function() calls = calls + 1; count:fill(0) end,
    cpu = function(c, l) c:fill(100); l:iota() end }
  t.equal(r.ok, true)
  t.ok(calls >= r.rows[1].runs, ("%d calls for %d runs"):format(
    calls, r.rows[1].runs))
  t.equal(count[0], 100, "not the sum of all runs")
  t.raises("before is a function", compare, {
    k, count, list, grid = 100, before = 3 })
end)

t.test("verify = function: a test of one's own in place of a reference", function()
  local x = gpu.buffer(1000):random(1, 0, 1)
  local function small(v) return v:max() <= 0.5, "an element is larger than a half" end
  local half = gpu.kernel("kernel void down(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = x[i] * 0.5f; }")
  local r = compare { half, x, grid = 1000, verify = small, budget = QUICK }
  t.equal(r.ok, true)
  t.has(tostring(r), "correct: verify says so")
  t.equal(#r.rows, OWN, "there is no CPU row")
  x:random(1, 0, 1)
  r = compare { half, x, grid = 10, verify = small, budget = QUICK }
  t.equal(r.ok, false)
  t.equal(#r.rows, 0)
  t.has(tostring(r), "wrong: an element is larger than a half")
  r = sweep { half, x, grid = 1000, verify = small, group_sizes = { 32, 64 },
    budget = QUICK }
  t.equal(r.verified, true)
  t.ok(r.points[1].median and r.points[2].median)
  t.raises("verify is a function", compare, {
    half, x, grid = 10, verify = true })
  t.raises("must return whether", compare, { half, x, grid = 10,
    verify = function() end })
  -- with a reference both must agree
  r = compare { half, x, grid = 1000, cpu = function(v)
    for i = 0, 999 do v[i] = v[i] / 2 end
  end,
    verify = function() return false, "never" end, budget = QUICK }
  t.equal(r.ok, false)
  t.has(tostring(r), "wrong: never")
end)

t.test("unordered: the same elements in any order", function()
  -- a whole number that is a mark (0) may stand anywhere; one that was left out
  -- may not
  local turned = gpu.kernel [=[
kernel void turned(device uint *list [[buffer(0)]], constant uint &n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (i < n) list[i] = (i + 32) % 100;
}]=]
  local list = gpu.buffer("uint", 100)
  local function count_up(l) return l:iota() end
  t.equal(compare({ turned, list, 100, grid = 100, budget = QUICK,
    unordered = true, cpu = count_up }).ok, true)
  t.equal(compare({ turned, list, 99, grid = 100, budget = QUICK,
    unordered = true, cpu = count_up }).ok, false)
  local right = gpu.kernel [=[
kernel void turned(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], uint i [[thread_position_in_grid]],
                   uint n [[threads_per_grid]]) { y[n - 1 - i] = x[i]; }]=]
  local x, y = gpu.buffer(500):random(1), gpu.buffer(500)
  t.equal(compare({ right, x, y, grid = 500, cpu = cpu.copy,
    budget = QUICK }).ok, false)
  local r = compare { right, x, y, grid = 500, cpu = cpu.copy, unordered = true,
    budget = QUICK }
  t.equal(r.ok, true)
  t.has(r.check.text, "in any order")
  local wrong = gpu.kernel [=[
kernel void turned(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], uint i [[thread_position_in_grid]],
                   uint n [[threads_per_grid]]) { y[n - 1 - i] = i == 9 ? 77.0f : x[i]; }]=]
  r = compare { wrong, x, y, grid = 500, cpu = cpu.copy, unordered = "y",
    budget = QUICK }
  t.equal(r.ok, false)
  t.has(r.check.text, "1 of 500 elements are not among those expected"); t.has(r.check.text, "77")
  t.raises("there is no 'z'", compare, { right, x, y, grid = 500,
    unordered = "z" })
  local multiset_compare = require "lua.workload.multiset_compare"
  local nan = 0 / 0
  t.ok(multiset_compare.equals(gpu.buffer { nan, 1, 2 }, { 2, nan, 1 }, 0))
  t.ok(not multiset_compare.equals(gpu.buffer { 1, 1, 2 }, { 1, 2, 2 }, 0),
    "how often counts")
  t.ok(multiset_compare.equals(gpu.buffer { 1, 2.000001 }, { 2, 1 }, 1e-5))
  t.ok(multiset_compare.equals(gpu.buffer("uchar", { 3, 1, 2 }), { 1, 2, 3 },
    0))
  t.ok(multiset_compare.equals(gpu.buffer("float2", { { 1, 2 }, { 1, 1 } }),
    gpu.buffer("float2", { { 1, 1 }, { 1, 2 } }), 0))
  local ok, report = multiset_compare.equals(gpu.buffer(
    "float2", { { 1, 2 }, { 1, 1 } }), gpu.buffer(
    "float2", { { 1, 1 }, { 1, 3 } }), 0)
  t.equal(ok, false)
  t.has(tostring(report), "(1, 2)"); t.has(tostring(report), "(1, 3)")
end)

t.test("a launch takes as long as a stopwatch around it shows", function()
  -- there the device has a clock of its own
  if gpu.device.is_gpu then return end
  local system = require "mettle.system"
  local p = require("lua.workload.kernels").workload("mandelbrot",
    { rows = 512, columns = 512, steps = 256 })
  p:run(1)
  local repeats = math.ceil(0.03 / p:run(1))
  local best = math.huge -- of three: a busy machine may stop us anywhere
  for _ = 1, 3 do
    local start = system.now()
    local time = p:run(repeats)
    local watch = (system.now() - start) / repeats
    best = math.min(best, math.abs(time / watch - 1))
  end
  t.ok(best < 0.05, ("off by %.1f %%"):format(best * 100))
end)

t.test("without a reference it says that nothing was verified", function()
  local a, b, c = buffers()
  local r = compare { kernel "c[i] = a[i] + b[i];", a, b, c, grid = N,
    budget = QUICK }
  t.equal(r.ok, nil)
  t.equal(#r.rows, OWN)
  t.has(tostring(r), "not verified")
end)

t.test("kernels of the library by name, with sizes", function()
  t.fits(require("lua.workload.kernels").workload("matmul_tiled",
    { m = 1, n = 1, k = 1 }))
  local r = compare { "matmul_tiled", m = 33, n = 17, k = 20, budget = QUICK }
  t.equal(r.ok, true)
  t.has(tostring(r), "m = 33")
  t.equal(r.operations, 2 * 33 * 17 * 20)
  t.equal(compare("relu", { n = 1000, budget = QUICK }).sizes.n, 1000)
  t.equal(compare({ "relu", n = 1000, group = 32,
    budget = QUICK }).workload.last.group[1], 32)
  t.raises("cannot be chosen", compare, { "matmul_tiled", group = 32 })
  r = compare { "life", rows = 20, columns = 20, budget = QUICK }
  t.equal(r.ok, true)
  t.equal(#r.rows, OWN + 2) -- one core and all: no vendor has it
  t.raises("no kernel 'relux'", compare, "relux")
  t.raises("has no size 'rows'", compare, { "relu", rows = 3 })
end)

t.test("mistakes are said in a sentence", function()
  local a, b, c = buffers()
  local k = kernel "c[i] = a[i] + b[i];"
  t.raises("takes a kernel and its arguments", compare)
  for _, budget in ipairs { 0, -1, "1", true } do
    local ok, why = pcall(compare, { "relu", budget = budget })
    t.equal(ok, false)
    t.equal(why, "budget is a time in seconds for each row, more than 0")
  end
  t.raises("takes a kernel and its arguments", compare, { a, b, c, grid = N })
  t.raises("a reference such as cpu.add", compare, { k, a, b, c, grid = N, cpu = 3 })
  t.raises("write cpu = cpu.add", compare, { k, a, b, c, grid = N,
    cpu = "add" })
  t.raises("more than 0", compare, { k, a, b, c, grid = N, budget = -1 })
  t.raises("how many threads", compare, { k, a, b, c })
  t.raises("has no parameter 'gird'", compare, { k, a, b, c, gird = N })
end)

t.test("a message names no file of ours", function()
  local k = gpu.kernel "add"
  local a, b, c = buffers()
  for _, call in ipairs { { compare, { k, a, b, c, grid = N, cpu = cpu.add } },
    { compare, { "add", n = 0 } },
    { compare, { k, a, b, c, N, grid = N, cpu = cpu.matmul } },
    { sweep, { k, a, b, c, grid = N } } } do
    local ok, why = pcall(call[1], call[2])
    t.equal(ok, false)
    t.ok(not why:find "lua/[%l_/]+%.lua", why)
  end
  local plain = require "lua.workload.workload".plain
  t.equal(plain "/usr/share/mettle/lua/judge/judge.lua:3: why", "why")
  t.equal(plain "kernels/add.lua:2: why", "why")
  for _, theirs in ipairs { "run.lua:4: why", "/home/me/mylua/run.lua:4: why" } do t.equal(plain(theirs), theirs) end
end)

t.test("speed in words", function()
  t.equal(contest.times(1.01), "as fast")
  t.equal(contest.times(2.5), "2.5× faster")
  t.equal(contest.times(0.25), "4.0× slower")
  t.equal(contest.times(1234.5), "1,234× faster")
end)

t.test("a comparison saves its chart", function()
  local name = os.tmpname()
  os.remove(name)
  compare({ "add", n = 100, budget = QUICK }):save(name .. ".svg")
  local file = assert(io.open(name .. ".svg"))
  t.has(file:read "a", "CPU, one core")
  file:close()
  os.remove(name .. ".svg")
end)

------------------------------------------------------------------------- sweep

-- A point that was measured, or that has more threads than this GPU's pipeline
-- takes.
local function tried(p)
  local few = gpu.device.is_gpu and p.illegal and p.illegal:find("this kernel takes at most", 1, true)
  t.ok(not p.wrong and (p.median or few), p.name .. ": "
    .. tostring(p.wrong or p.illegal))
end

t.test("a sweep tries threadgroup sizes and marks the best", function()
  local a, b, c = buffers()
  local r = sweep { kernel "c[i] = a[i] + b[i];", a, b, c, grid = N,
    cpu = cpu.add, budget = QUICK }
  t.ok(#r.points >= 10)
  t.equal(r.verified, true)
  local best = r.points[1]
  for _, p in ipairs(r.points) do
    tried(p)
    if p.median and p.median < best.median then best = p end
  end
  t.equal(r.best, best)
  local text = tostring(r)
  t.equal(text:find "★ best" ~= nil, r.certain)
  t.has(text, "multiple of " .. (gpu.device.simd_width or "it"))
  t.has(text, gpu.device.name)
  for line in text:gmatch "[^\n]+" do
    if line:find "[┤│└]" then t.ok(utf8.len(line) <= 80, line) end
  end
end)

t.test("sizes that cannot be launched, and wrong answers, are shown as such", function()
  local a, b, c = buffers()
  local picky = kernel("c[i] = a[i] + b[i] + (g == 64 ? 1.0f : 0.0f);", "uint g [[threads_per_threadgroup]],")
  local r = sweep { picky, a, b, c, grid = N, cpu = cpu.add,
    group_sizes = { 32, 64, 100000 }, budget = QUICK }
  t.ok(r.points[1].median)
  t.has(r.points[2].wrong, "differ"); t.equal(r.points[2].median, nil)
  t.has(r.points[3].illegal, tostring(gpu.device.max_threads_per_group))
  t.equal(r.best, r.points[1])
  t.has(tostring(r), "100000 cannot be launched")
end)

t.test("flat grids are swept by shape", function()
  local r = sweep { "transpose_naive", rows = 40, columns = 50, budget = QUICK }
  t.has(tostring(r), "16×16")
  for _, p in ipairs(r.points) do tried(p) end
  t.raises("written for threadgroups of 16×16", sweep, "matmul_tiled")
end)

t.test("a sweep of a launch by groups covers the same at every size", function()
  local a, b, c = buffers()
  local k = kernel "if (i < 5000) c[i] = a[i] + b[i];"
  local usual = k { a, b, c, groups = 1 }.group[1]
  for _, reference in ipairs { cpu.add, false } do
    -- 2048 are more than any device takes; what they would do only a reference
    -- tells
    for _, group in ipairs(reference and { usual, 2048, false }
      or { usual, false }) do
      local groups = (5000 + (group or usual) - 1) // (group or usual)
      local r = sweep { k, a, b, c, groups = groups, group = group or nil,
        cpu = reference or nil,
        group_sizes = { 1, 32, 96, 256, 1024 }, budget = QUICK }
      for _, p in ipairs(r.points) do tried(p) end
      t.equal(r.verified, reference and true or false)
      t.equal(r.threads, groups * (group or usual))
      t.has(tostring(r), groups * (group or usual) == 5120 and "5,120 threads"
        or " threads")
    end
  end
  -- a group that does one row, whatever its size: then the number of groups
  -- stays
  local rows = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void row_sums(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], uint row [[threadgroup_position_in_grid]],
                     uint t [[thread_index_in_threadgroup]], uint size [[threads_per_threadgroup]]) {
  threadgroup float part[1024];
  part[t] = 0;
  for (uint c = t; c < 100; c += size) part[t] += x[row * 100 + c];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t > 0) return;
  float sum = 0;
  for (uint j = 0; j < size; j++) sum += part[j];
  y[row] = sum;
}]=]
  local x, y = gpu.buffer(50, 100):random(1), gpu.buffer(50)
  local r = sweep { rows, x, y, groups = 50, group = 64,
    group_sizes = { 1, 32, 64, 256 }, budget = QUICK }
  for _, p in ipairs(r.points) do tried(p) end
  t.equal(r.threads, nil)
  -- an answer that depends on the size is not called wrong where it is unknown
  local places = gpu.kernel [=[
kernel void places(device uint *m [[buffer(0)]], uint i [[thread_position_in_grid]],
                   uint g [[threadgroup_position_in_grid]]) { m[i] = g; }]=]
  r = sweep { places, gpu.buffer("uint", 1000), grid = 1000, group = 64,
    group_sizes = { 32, 64, 128 }, budget = QUICK }
  t.ok(not r.points[1].median and r.points[2].median and not r.points[3].median)
  local text = tostring(r)
  t.has(text, "32, 128: another answer than in groups of 64"); t.has(text, "the answer depends on the size of the group")
  t.ok(not text:find "wrong", text)
end)

t.test("a kernel with its group built in: the line to type works", function()
  local kernels = require "lua.workload.kernels"
  local known, all = 0, os.getenv "METTLE_TESTS" == "all"
  for _, name in ipairs(kernels.names()) do
    local data = kernels.data(name)
    known = known + (data.fixed_group and 1 or 0)
    local wanted = data.fixed_group and (all or known % 3 == 1)
    if wanted and pcall(t.fits, kernels.workload(name, data.try[1])) then
      local ok, why = pcall(sweep, name)
      t.equal(ok, false, name)
      local line = why:match "sweep{.*}$"
      t.ok(line, why)
      -- tried small: the parameter and its values count, not how large they are
      local small = line:gsub(", (%d+)}}}$", "}}}"):gsub("%d%d%d%d+", "64")
        :gsub("512", "32"):gsub("256", "16")
      local given = small:gsub("}$", ", budget = 0.01}")
        :gsub(", over", name:find "^matmul" and
        (small:find "{n =" and ", m = 16, k = 16, over" or ", m = 16, n = 16, k = 16, over") or ", over")
      local r = assert(load("return " .. given))()
      for _, p in ipairs(r.points) do
        t.ok(p.median, name .. ": " .. tostring(p.wrong or p.illegal))
      end
    end
  end
  t.raises('sweep{"matmul_tiled", k = 20000, m = 128, over = {TILE = {8, 16, 32}}}', sweep, { "matmul_tiled", m = 128, k = 20000 })
end)

t.test("sweeps over sizes, macros and anything a function makes", function()
  local r = sweep { "add", over = { n = { 10, 100, 1000 } }, budget = QUICK }
  t.equal(#r.points, 3)
  t.equal(r.points[2].values.n, 100)
  t.has(tostring(r), "n, log scale")
  t.fits(require("lua.workload.kernels").workload("matmul_tiled",
    { m = 1, n = 1, k = 1 }))
  r = sweep { "matmul_tiled", m = 20, n = 30, k = 25,
    over = { TILE = { 8, 16, 64 } }, budget = QUICK }
  t.ok(r.points[1].median and r.points[2].median)
  t.has(r.points[3].illegal, "4096 threads")
  local x = gpu.buffer(1000)
  r = sweep { function(p)
    local k = gpu.kernel("kernel void g(device float *x, uint i [[thread_position_in_grid]]) { x[i] = ADD; }",
      { defines = { ADD = p.add } })
    return { k, x, grid = p.n }
  end, over = { n = { 10, 100, 1000 }, add = { 1, 2 } }, budget = QUICK }
  t.equal(#r.points, 6)
  t.has(tostring(r), "● add = 1   ○ add = 2")
end)

t.test("a sweep's mistakes are said in a sentence", function()
  t.raises("sweep takes a kernel", sweep)
  t.raises("a table of parameters", sweep, { "add", over = { 1, 2 } })
  t.raises("over is empty", sweep, { "add", over = {} })
  t.raises("one or two parameters", sweep, { "add", over = { a = { 1 }, b = { 1 }, c = { 1 } } })
  t.raises("needs over", sweep, { function() end })
  t.raises("has no size 'q'", sweep, { "add", over = { q = { 1, 2 } } })
end)

------------------------------------------------------------------------- peaks

-- f(peaks) as on a machine that does nothing else, where the peaks are really
-- measured: the times of this one may differ by much, and then its peaks are
-- not kept.
local function quietly(f)
  local peaks_module = require "lua.measure.peaks"
  local made_up = peaks_module.measure
  peaks_module.measure = function(...) return (t.measure_peaks(...)), 0 end
  local ok, why = pcall(f, peaks_module)
  peaks_module.measure = made_up
  if not ok then error(why, 0) end
end

t.test("memory or cache: the size of the data decides, whatever time was measured", function()
  local bound = rows.bound
  local peaks = { memory = 10e9, cache = 40e9, cache_bytes = 20e6,
    operations = 100e9 }
  local function of(bytes, seconds)
    local row = { bandwidth = bytes / seconds }
    bound(row, peaks, bytes)
    return row
  end
  for _, seconds in ipairs { 1e-4, 3e-4, 1e-3, 3e-3 } do
    t.equal(of(12e6, seconds).bound, "cache")
    t.equal(of(40e6, seconds).bound, "memory")
  end
  local nothing = {}
  bound(nothing, peaks, 0)
  t.equal(nothing.share, nil, "a kernel that moves and computes nothing has no share")
  t.equal(#compare({ gpu.kernel "kernel void none() {}", grid = 10, budget = QUICK }).rows, OWN)
  t.near(of(12e6, 1e-3).share, 0.3, 1e-9)
  t.near(of(40e6, 8e-3).share, 0.5, 1e-9)
  -- what is kept of the machine: nearer to the cache's rate, as far as that
  -- goes
  local capacity = require("lua.measure.peaks").capacity
  local rates = { { 1e6, 40e9 }, { 4e6, 38e9 }, { 16e6, 30e9 }, { 64e6, 12e9 },
    { 400e6, 10e9 } }
  t.near(capacity(rates, 10e9, 40e9), 32e6, 1)
  t.equal(capacity(rates, 10e9, 11e9), 0)
  local peaks_module = require "lua.measure.peaks"
  local p, made_up = peaks_module.peaks { again = true }, peaks_module.measure
  peaks_module.measure = function()
    return { memory = 8e12, cache = 1e12, cache_bytes = 1, operations = 1 }, 0
  end
  local better = peaks_module.improve()
  peaks_module.measure = made_up
  t.equal(better.cache_bytes, p.cache_bytes, "a size does not change")
  t.equal(better.memory, 8e12, "the better of the two")
  t.equal(better.cache, p.cache, "the better of the two")
end)

t.test("one cost of a launch, in all tools", function()
  local timing = require "lua.workload.timing"
  local o = timing.overhead()
  t.ok(o.launch > 0 and o.each > 0 and o.each <= o.launch)
  t.equal(timing.overhead(), o)
  local r = compare { "add", n = 100, budget = QUICK }
  t.equal(r.overhead, o)
  t.has(tostring(r), timing.overhead_text(o))
  t.has(timing.too_short({ median = o.each }, o, 1), "in a batch")
  t.has(timing.too_short({ median = o.launch }, o, 1, true),
    require("lua.text.units").time(o.launch))
  t.equal(timing.too_short({ median = 100 * o.each }, o, 1), nil)
end)

t.test("on the host, what a GPU would pay stands below the table", function()
  local gpu_cost = require "lua.measure.gpu_cost"
  local function said(r) return table.concat(r.notes, "\n") end
  local naive = compare { "transpose_naive", rows = 256, columns = 256,
    budget = 0.06 }
  t.fits(require("lua.workload.kernels").workload("transpose_padded",
    { rows = 1, columns = 1 }))
  local padded = compare { "transpose_padded", rows = 256, columns = 256,
    budget = 0.06 }
  if gpu.device.is_gpu then
    t.ok(not said(naive):find "on a GPU")
    return
  end
  t.has(said(naive), "on a GPU this moves 9.00× the memory that it needs")
  t.ok(not said(padded):find "on a GPU this", said(padded))
  t.has(said(compare { "sum_atomic", n = 5000, budget = 0.06 }), "makes 5,000 atomics wait for one address")
  t.ok(not said(compare { "add", n = 5000, budget = 0.06 }):find "on a GPU")
  local stride = kernel "c[i] = a[i % 64 * 64 + i / 64] + b[i];"
  local a, b, c = buffers()
  t.has(said(compare { stride, a, b, c, grid = 4096, budget = 0.06 }),
    "on a GPU this moves")
  -- large ones are counted smaller, and say so
  local large = gpu_cost.of(require("lua.workload.kernels").workload(
    "transpose_naive", { rows = 2048, columns = 1024 }))
  t.equal(large.sizes, "columns = 1,024, rows = 1,024")
  -- and the order: as in a profile, whatever the clock said here
  local dear, cheap = naive.counted, padded.counted
  t.ok(dear.cost > 1.25 * cheap.cost)
  local function order(first, second)
    return gpu_cost.order({ name = "naive", median = first, counted = dear,
      time = { median = first } }, { name = "padded", median = second,
      counted = cheap, time = { median = second } })
  end
  t.has(order(1e-3, 2e-3), "naive is faster here (1.00 ms, padded takes 2.00 ms), but a GPU pays")
  t.has(order(1e-3, 2e-3), "the lines of memory")
  t.equal(order(2e-3, 1e-3), nil, "the host agrees")
  t.equal(order(1e-3, 1.05e-3), nil, "no difference here")
end)

t.test("peaks are measured once and kept", function()
  local timing = require "lua.workload.timing"
  local system = require "mettle.system"
  os.remove(system.state .. "/peaks.json")
  require("lua.measure.peaks").peaks { again = true }
  t.equal(io.open(system.state .. "/peaks.json"), nil, "quick ones are not")
  local p
  quietly(function(peaks_module)
    timing.quick = nil
    p = peaks_module.peaks { again = true }
    timing.quick = 0.06
  end)
  t.ok(p.memory > 0 and p.cache >= p.memory and p.operations > 0)
  t.has(tostring(p), "FLOP/s")
  local json = require "mettle.json"
  local file = assert(io.open(system.state .. "/peaks.json"))
  local kept = json.decode(file:read "a")
  file:close()
  local found = false -- other devices may have theirs there too
  local rounding = 1e-12 * p.memory -- JSON has 15 digits
  for _, machine in pairs(kept.machines) do
    found = found or math.abs(machine.memory - p.memory) <= rounding
  end
  t.ok(found, "the file does not have the peaks that were given")
  package.loaded["lua.measure.peaks"] = nil -- as in a new session
  t.near(require("lua.measure.peaks").peaks().memory, p.memory, rounding)
  system.write(system.state .. "/peaks.json", "damaged")
  package.loaded["lua.measure.peaks"] = nil
  dofile "tests/quick.lua"
  t.ok(require("lua.measure.peaks").peaks().memory > 0)
end)

------------------------------------------------------------------------- JSON

t.test("JSON there and back, with errors that say where", function()
  local json = require "mettle.json"
  local v = { name = "x", list = { 1, 2.5, "three", true },
    deep = { a = { b = 1 } }, tiny = 1.5e-9 }
  local back = json.decode(json.encode(v))
  t.equal(back.list[2], 2.5)
  t.equal(back.list[4], true)
  t.equal(back.deep.a.b, 1); t.equal(back.tiny, 1.5e-9)
  t.equal(math.type(back.list[1]), "integer")
  t.equal(json.encode(v), json.encode(v))
  t.raises("line 2, column", json.decode, '{"a": 1,\n "b" 2}')
  t.raises("the text is empty", json.decode, "")
  t.raises("no word for NaN", json.encode, { 0 / 0 })
  t.raises("cannot be written", json.encode, { print })
  t.raises("zero byte", json.encode, { "a\0b" })
  t.raises("zero byte", json.encode, { ["a\0b"] = 1 })
  t.raises("names as keys", json.encode, { [1.5] = 1 })
  local circle = {}
  circle.again = circle
  t.raises("in a circle", json.encode, circle)
  t.raises("not JSON", json.decode, ("["):rep(100000))
  -- a surrogate is no character
  t.equal(json.encode { "a\xffb", "\xed\xa0\x80", "grün \u{1f600}" },
    '["a\u{fffd}b","\u{fffd}\u{fffd}\u{fffd}","grün \u{1f600}"]')
  t.ok(utf8.len(json.encode { ["\xc0\x80"] = "\xf8" }), "a key")
end)

t.done()
