-- bench_pocl.lua - the kernels that the engine is judged by, beside PoCL (the
-- same kernels in OpenCL, the same sizes and groups), plain C and OpenBLAS.
--
-- On a machine that is busy with other things, time by the wall says little.
-- BENCH_CLOCK=cpu has everyone use one thread, and compares CPU time.
-- BENCH_ONLY=histogram measures only what has that word in its title.
local side = dofile "bench/side.lua"
local pocl = dofile "bench/pocl.lua"
local kernels = require "lua.workload.kernels"
local workload = require "lua.workload.workload"

local PLAIN, VENDOR = "plain C", "OpenBLAS"
local by_cpu = os.getenv "BENCH_CLOCK" == "cpu"
local only = os.getenv "BENCH_ONLY" or ""

-- 'run' does the work n times and returns the seconds of one by the wall.
local function clocked(run)
  if not by_cpu then return run end
  return function(n)
    local start = os.clock()
    run(n)
    return (os.clock() - start) / n
  end
end

-- title, kernel, sizes, what OpenCL needs to know, and the aims: how many times
-- as long each of the others should take, at least
local list = {
  { "saxpy with a guard, 16M", "saxpy", { n = 16000000 }, {},
    { PoCL = 2.5, [PLAIN] = 0.85 }, bandwidth = true },
  { "saxpy with a guard, 64k", "saxpy", { n = 65536 }, {}, { PoCL = 2.5 }, bandwidth = true },
  { "matmul 1024³, naive", "matmul_naive", {}, {}, { PoCL = 8 } },
  { "matmul 1024³, tiles of 16", "matmul_tiled", {}, { options = "-DTILE=16" }, { PoCL = 6 } },
  { "matmul 1024³, tiles of 32", "matmul_tiled32", {}, { kernel = "matmul_tiled", options = "-DTILE=32" },
    { PoCL = 15, [VENDOR] = 1 } },
  { "matmul 1024³, simdgroup_matrix", "matmul_simdgroup", {}, nil, { [VENDOR] = 1 } },
  { "sum of 16M, tree of 256", "tree", {}, {}, { PoCL = 3 } },
  { "sum of 16M, strides and a tree", "sum_tree", {}, {}, { PoCL = 3 } },
  { "sum of 16M, simd_sum", "sum_simd", {}, { kernel = "sum_tree" },
    { [PLAIN] = 0.9 } },
  { "mandelbrot 1024², 256 steps", "mandelbrot", {}, {}, { PoCL = 4 } },
  { "Black-Scholes, 4M", "blackscholes", { n = 4000000 }, {}, { PoCL = 8 } },
  { "5 × 5 convolution, 1024²", "conv2d", {}, {}, { PoCL = 8 } },
  { "histogram of 16M", "histogram", { n = 16000000 }, {}, { PoCL = 6 } },
  { "4096 bodies", "nbody", {}, {}, { PoCL = 5 } },
  { "softmax of 4096 rows of 4096", "softmax", { rows = 4096, columns = 4096 }, {}, { PoCL = 5 } },
}

-- The tree as textbooks have it: a thread for each element, a sum for each
-- group.
local TREE = [=[
#include <metal_stdlib>
using namespace metal;
kernel void tree(device const float *x [[buffer(0)]], device float *sums [[buffer(1)]],
                 uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]],
                 uint group [[threadgroup_position_in_grid]]) {
  threadgroup float part[256];
  part[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = 128; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) sums[group] = part[0];
}
]=]

local function tree()
  local groups = 62500
  local x, sums = gpu.buffer(groups, 256):random(1, 0, 1), gpu.buffer(groups)
  local ones = gpu.buffer(256, 1):fill(1)
  return workload.new {
    name = "tree", outputs = { { name = "sums", value = sums } },
    tolerance = 1e-5,
    steps = { { kernel = gpu.kernel(TREE), launch = {
      x = x, sums = sums, grid = groups * 256, group = 256 } } },
    reset = function() sums:fill(0 / 0) end,
    reference = function(out)
      cpu.matmul(x, ones, out.sums:reshape(groups, 1))
    end, check_only = true,
  }
end

-- Contenders whose answer was right; the others are named.
local function contenders_of(title, p, child, cl)
  local list = { { "Mettle", clocked(function(n)
    return select(2, p:run(n))
  end) } }
  local function judged(name, check)
    if not check.ok then print(title .. ": " .. name .. ": " .. check.text) end
    return check.ok
  end
  if not judged("Mettle", p:verify()) then return nil end
  if child and cl then
    if p.reset then p.reset() end
    child:load(p, cl)
    if judged("PoCL", child:verify()) then
      list[2] = { "PoCL", function(n)
        return (select(by_cpu and 2 or 1, child:run(n)))
      end }
    end
    if p.reset then p.reset() end
  end
  for _, way in ipairs(p:ways()) do
    local name = way == (by_cpu and "one core" or "all cores") and PLAIN
      or way == "vendor" and VENDOR
    if name then
      list[#list + 1] = { name, clocked(function(n)
        return p:cpu_run(way, n)
      end), spins = way == "vendor" }
    end
  end
  return list
end

-- What both move in a second, for kernels that do little else.
local function bandwidths(p, ratio, other)
  local bytes = p:work()
  return ("%.1f GB/s, %s %.1f"):format(bytes / ratio.first / 1e9, other,
    bytes / ratio.first / ratio.median / 1e9)
end

local child, why = pocl.open("build/bench/opencl", "build/bench")
if not child then print("without PoCL: " .. why) end

side.heading("kernels on " .. gpu.device.name .. ", and how many times as long the others take")
for _, entry in ipairs(list) do
  local title, name, sizes, cl, aims = table.unpack(entry, 1, 5)
  if not title:find(only, 1, true) then goto continue end
  local p = name == "tree" and tree() or kernels.workload(name, sizes)
  local contenders = contenders_of(title, p, child, cl)
  if contenders then
    local ratios = side.row(title, table.unpack(contenders))
    for _, other in ipairs { "PoCL", PLAIN, VENDOR } do
      local ratio = ratios[other]
      if aims[other] and ratio then
        side.aim(title, other, ratio, aims[other], entry.bandwidth
          and bandwidths(p, ratio, other))
      end
    end
  end
  if child then child:clear() end
  p = nil
  collectgarbage()
  ::continue::
end
if child then child:close() end
side.write(("Kernels: how many times as long the others take (%s, %s%s)"):format(gpu.device.title,
  by_cpu and "CPU time of one thread" or require "mettle.system".cores .. " cores", child and ", " .. child.name or ""))
