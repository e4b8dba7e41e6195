-- test_compare.lua - compare, sweep and gpu.peaks: verdicts, tables, limits. No
-- assertion is about how fast anything was.
local t = dofile "tests/tap.lua"
local compare_module = require "lua.compare"

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
  return gpu.buffer(N):random(1, -1, 1), gpu.buffer(N):random(2, -1, 1), gpu.buffer(N)
end

-- a GPU has two rows: its own clock's, and with the launch
local OWN = gpu.device.is_gpu and 2 or 1

t.test("a right kernel is compared with every way of the reference", function()
  local a, b, c = buffers()
  local r = compare { kernel "c[i] = a[i] + b[i];", a, b, c, grid = N, group = 64, cpu = cpu.add, budget = QUICK }
  t.equal(r.ok, true)
  t.equal(#r.rows, OWN + #cpu.add.ways)
  t.equal(r.device, gpu.device.name)
  for i, row in ipairs(r.rows) do
    t.ok(row.median > 0 and row.low <= row.median and row.median <= row.high, row.name)
    t.near(row.bandwidth, 12 * N / row.median, 1)
    t.near(row.rate, N / row.median, 1)
    if i > OWN then t.near(row.speedup, row.median / r.rows[1].median, 1e-9) end
  end
  local text = tostring(r)
  t.has(text, "correct"); t.has(text, gpu.device.name .. " ("); t.has(text, "CPU, one core")
  t.has(text, "the kernel is"); t.has(text, "a launch alone costs")
  if not gpu.device.is_gpu then t.has(text, "not a GPU"); t.ok(not text:find "GPU time") end
  for line in text:gmatch "[^\n]+" do
    if not line:find "^  !" and not line:find " on " then t.ok(utf8.len(line) <= 80, line) end
  end
  t.ok(c:equals(cpu.add(a, b)), "c holds the answer afterwards")
end)

t.test("a wrong kernel gets no times", function()
  local a, b, c = buffers()
  local r = compare { kernel "c[i] = a[i] + b[i] + (i == 77 ? 1.0f : 0.0f);", a, b, c, grid = N, cpu = cpu.add, budget = QUICK }
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
  t.equal(compare({ half, a, b, c, grid = N // 2, cpu = function(x, y, z) cpu.add(x, y, z) end, budget = QUICK }).ok, false)
  local counts = gpu.buffer("uint", 100):fill(function(i) return i + 1 end)
  local k = gpu.kernel "kernel void f(device uint *c [[buffer(0)]], uint i [[thread_position_in_grid]]) { c[i] = i + 1; }"
  local function answer(z) z:fill(function(i) return i + 1 end) end
  t.equal(compare({ k, counts, grid = 50, cpu = answer, budget = QUICK }).ok, false)
  t.equal(compare({ k, counts, grid = 100, cpu = answer, budget = QUICK }).ok, true)
end)

t.test("a kernel that runs on for ever where its output holds marks", function()
  local c = gpu.buffer(100):fill(3)
  local k = gpu.kernel [=[
    kernel void doubled(device float *c [[buffer(0)]], uint i [[thread_position_in_grid]]) {
      while (c[i] < 100 && c[i] != 0) c[i] = 2 * c[i];
    }]=]
  t.equal(compare({ k, c, grid = 100, budget = QUICK, cpu = function(z) z:fill(192) end }).ok, true)
end)

t.test("what a kernel may leave alone", function()
  local a, b, c = buffers()
  c:fill(1)
  local adds = kernel "c[i] += a[i] * b[i];"
  t.equal(compare({ adds, a, b, c, grid = N, budget = QUICK, cpu = function(x, y, z)
    z:fill(function(i) return z[i] + x[i] * y[i] end)
  end }).ok, true)
  local inside = gpu.kernel "kernel void f(device float *c [[buffer(0)]], uint i [[thread_position_in_grid]]) { if (c[i] < 0) c[i] = 0; }"
  t.equal(compare({ inside, a, grid = N, budget = QUICK, cpu = cpu.relu }).ok, true)
  local source = [=[
    #include <metal_stdlib>
    using namespace metal;
    kernel void count(device const uchar *x [[buffer(0)]], device atomic_uint *bins [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
      atomic_fetch_add_explicit(&bins[x[i]], 1, memory_order_relaxed);
    }]=]
  local x, bins = gpu.buffer("uchar", 1000):random(1, 0, 20), gpu.buffer("uint", 256)
  local count = gpu.kernel(source)
  t.equal(compare({ count, x, bins, grid = 1000, budget = QUICK, cpu = cpu.histogram }).ok, true)
  bins:fill(3) -- it adds to these
  local r = compare { count, x, bins, grid = 1000, budget = QUICK, cpu = cpu.histogram }
  t.equal(r.ok, false)
  t.has(r.check.text, "with bins cleared it is right: give before = function() bins:fill(0) end")
end)

t.test("a function is a reference too: it fills, or returns", function()
  local a, b, c = buffers()
  local k = kernel "c[i] = a[i] * 2 - b[i];"
  local filled = compare { k, a, b, c, grid = N, budget = QUICK, cpu = function(x, y, z)
    z:fill(function(i) return x[i] * 2 - y[i] end)
  end }
  t.equal(filled.ok, true)
  t.has(tostring(filled), "your function")
  local returned = compare { k, a, b, c, grid = N, budget = QUICK, cpu = function(x, y)
    local list = {}
    for i = 0, N - 1 do list[i + 1] = x[i] * 2 - y[i] end
    return list
  end }
  t.equal(returned.ok, true)
  local wrong = compare { k, a, b, c, grid = N, budget = QUICK, cpu = function(x) return x end }
  t.equal(wrong.ok, false)
end)

t.test("numbers of the kernel go where the reference wants one", function()
  local a, b, c = buffers()
  local k = kernel("c[i] = k * a[i] + b[i];", "constant float &k [[buffer(3)]],")
  t.equal(compare({ k, a, b, c, 2.5, grid = N, cpu = cpu.saxpy, budget = QUICK }).ok, true)
  t.equal(compare({ k, a, b, c, k = 2.5, grid = N, cpu = cpu.saxpy, budget = QUICK }).ok, true)
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
  r = compare { k, x, sum, grid = 100, cpu = cpu.sum, budget = QUICK, before = function() sum:fill(0) end }
  t.equal(r.ok, true)
end)

t.test("a launch takes as long as a stopwatch around it shows", function()
  if gpu.device.is_gpu then return end -- there the device has a clock of its own
  local system = require "mettle.system"
  local p = require("lua.kernels").problem("mandelbrot", { rows = 512, columns = 512, steps = 256 })
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
  local r = compare { kernel "c[i] = a[i] + b[i];", a, b, c, grid = N, budget = QUICK }
  t.equal(r.ok, nil)
  t.equal(#r.rows, OWN)
  t.has(tostring(r), "not verified")
end)

t.test("kernels of the library by name, with sizes", function()
  local r = compare { "matmul_tiled", m = 33, n = 17, k = 20, budget = QUICK }
  t.equal(r.ok, true)
  t.has(tostring(r), "m = 33")
  t.equal(r.operations, 2 * 33 * 17 * 20)
  t.equal(compare("relu", { n = 1000, budget = QUICK }).sizes.n, 1000)
  t.equal(compare({ "relu", n = 1000, group = 32, budget = QUICK }).problem.last.group[1], 32)
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
  t.raises("takes a kernel and its arguments", compare, { a, b, c, grid = N })
  t.raises("a reference such as cpu.add", compare, { k, a, b, c, grid = N, cpu = 3 })
  t.raises("write cpu = cpu.add", compare, { k, a, b, c, grid = N, cpu = "add" })
  t.raises("more than 0", compare, { k, a, b, c, grid = N, budget = -1 })
  t.raises("how many threads", compare, { k, a, b, c })
  t.raises("has no parameter 'gird'", compare, { k, a, b, c, gird = N })
end)

t.test("a message names no file of ours", function()
  local k = gpu.kernel "add"
  local a, b, c = buffers()
  for _, call in ipairs { { compare, { k, a, b, c, grid = N, cpu = cpu.add } }, { compare, { "add", n = 0 } },
    { compare, { k, a, b, c, N, grid = N, cpu = cpu.matmul } }, { sweep, { k, a, b, c, grid = N } } } do
    local ok, why = pcall(call[1], call[2])
    t.equal(ok, false)
    t.ok(not why:find "lua/%l+%.lua", why)
  end
end)

t.test("speed in words", function()
  t.equal(compare_module.times(1.01), "as fast")
  t.equal(compare_module.times(2.5), "2.5× faster")
  t.equal(compare_module.times(0.25), "4.0× slower")
  t.equal(compare_module.times(1234.5), "1,234× faster")
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

t.test("a sweep tries threadgroup sizes and marks the best", function()
  local a, b, c = buffers()
  local r = sweep { kernel "c[i] = a[i] + b[i];", a, b, c, grid = N, cpu = cpu.add, budget = QUICK }
  t.ok(#r.points >= 10)
  t.equal(r.verified, true)
  local best = r.points[1]
  for _, p in ipairs(r.points) do
    t.ok(p.median and not p.wrong and not p.illegal, p.name)
    if p.median < best.median then best = p end
  end
  t.equal(r.best, best)
  local text = tostring(r)
  t.has(text, "★"); t.has(text, "multiple of " .. gpu.device.simd_width); t.has(text, gpu.device.name)
  for line in text:gmatch "[^\n]+" do
    if line:find "[┤│└]" then t.ok(utf8.len(line) <= 80, line) end
  end
end)

t.test("sizes that cannot be launched, and wrong answers, are shown as such", function()
  local a, b, c = buffers()
  local picky = kernel("c[i] = a[i] + b[i] + (g == 64 ? 1.0f : 0.0f);", "uint g [[threads_per_threadgroup]],")
  local r = sweep { picky, a, b, c, grid = N, cpu = cpu.add, group_sizes = { 32, 64, 100000 }, budget = QUICK }
  t.ok(r.points[1].median)
  t.has(r.points[2].wrong, "differ"); t.equal(r.points[2].median, nil)
  t.has(r.points[3].illegal, tostring(gpu.device.max_threads_per_group))
  t.equal(r.best, r.points[1])
  t.has(tostring(r), "100000 cannot be launched")
end)

t.test("flat grids are swept by shape", function()
  local r = sweep { "transpose_naive", rows = 40, columns = 50, budget = QUICK }
  t.has(tostring(r), "16×16")
  for _, p in ipairs(r.points) do t.ok(p.median, p.name .. ": " .. tostring(p.wrong or p.illegal)) end
  t.raises("written for threadgroups of 16×16", sweep, "matmul_tiled")
end)

t.test("sweeps over sizes, macros and anything a function makes", function()
  local r = sweep { "add", over = { n = { 10, 100, 1000 } }, budget = QUICK }
  t.equal(#r.points, 3)
  t.equal(r.points[2].values.n, 100)
  t.has(tostring(r), "n, log scale")
  r = sweep { "matmul_tiled", m = 20, n = 30, k = 25, over = { TILE = { 8, 16, 64 } }, budget = QUICK }
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

t.test("peaks are measured once and kept", function()
  local p = gpu.peaks()
  t.ok(p.memory > 0 and p.cache >= p.memory and p.operations > 0)
  t.has(tostring(p), "FLOP/s")
  local system = require "mettle.system"
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
  package.loaded["lua.peaks"] = nil -- as in a new session
  t.near(require("lua.peaks").peaks().memory, p.memory, rounding)
  system.write(system.state .. "/peaks.json", "damaged")
  package.loaded["lua.peaks"] = nil
  t.ok(require("lua.peaks").peaks().memory > 0)
end)

------------------------------------------------------------------------- JSON

t.test("JSON there and back, with errors that say where", function()
  local json = require "mettle.json"
  local v = { name = "x", list = { 1, 2.5, "three", true }, deep = { a = { b = 1 } }, tiny = 1.5e-9 }
  local back = json.decode(json.encode(v))
  t.equal(back.list[2], 2.5); t.equal(back.list[4], true); t.equal(back.deep.a.b, 1); t.equal(back.tiny, 1.5e-9)
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
  t.equal(json.encode { "a\xffb", "\xed\xa0\x80", "grün \u{1f600}" }, -- a surrogate is no character
    '["a\u{fffd}b","\u{fffd}\u{fffd}\u{fffd}","grün \u{1f600}"]')
  t.ok(utf8.len(json.encode { ["\xc0\x80"] = "\xf8" }), "a key")
end)

t.done()
