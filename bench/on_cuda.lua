-- on_cuda.lua - the cuda device beside nvcc -O3: the same kernels, line by
-- line, in CUDA C++ (bench/kernels.cu), on the same data and in turns; products
-- of matrices beside cuBLAS, where it is there; bandwidths beside a copy's; how
-- long a person waits. `make bench-cuda` builds the contender and runs it;
-- BENCH_ONLY=matmul measures a part.
--
--   build/mettle bench/on_cuda.lua first FOLDER   a child: seconds of first
--                                                 launches
local side = dofile "bench/side.lua"
local pocl = dofile "bench/pocl.lua"
local kernels = require "lua.workload.kernels"
local system = require "mettle.system"
local timing = require "lua.workload.timing"
local units = require "lua.text.units"
local only = os.getenv "BENCH_ONLY" or ""

------------------------------------------------------------- a person's waiting

-- Twenty lines as a learner types them; 'number' makes each new to every cache.
local heat = dofile "bench/heat.lua"
local function source(number) return heat:format(number) end

-- From the source to an element of the answer, nine times. The first, which
-- also waits for the GPU, is not counted.
local function first_launches(first)
  local from, to, list = gpu.buffer(64, 64):fill(1), gpu.buffer(64, 64), {}
  for i = 0, 9 do
    local start = system.now()
    gpu.kernel(source(first + i)) { from, to, 64, 64, grid = { 64, 64 } }
    local _ = to[0]
    if i > 0 then list[i] = system.now() - start end
  end
  return list
end

if arg and arg[1] == "first" then
  gpu.use "cuda"
  print(table.concat(first_launches(tonumber(arg[2])), " "))
  os.exit(0)
end

local function waiting(program)
  side.heading "how long a person waits"
  local number = dofile "bench/fresh.lua"()
  local function measure(title, most)
    local child = assert(io.popen(("'%s' bench/on_cuda.lua first %d"):format(program, number)))
    local list = {}
    for word in child:read("a"):gmatch "%S+" do
      list[#list + 1] = tonumber(word)
    end
    child:close()
    local time = timing.summary(list)
    print(("%s  %s"):format(units.pad(title, 44), units.time(time.median)))
    side.limit(title, time, most)
  end
  measure("from source to answer, cuda", 0.1)
  measure("the same, known to the cache", 0.02)
end

-- Beyond what NVIDIA's own runtime takes for it: 10 µs are the aim.
local function empty_launch(child)
  local x = gpu.buffer(1)
  local k = gpu.kernel "kernel void empty(device float *x [[buffer(0)]]) {}"
  local own, theirs, many = {}, {}, 500
  child.child:tell("step", "-", "empty", "wait")
  child.child:tell("data", child:file(x))
  child.child:tell("range", "1 1 1 1 1 1")
  for i = 1, 2 * many do
    local wall = k { x, grid = 1 }.wall
    if i > many then own[i - many] = wall end
  end
  for i = 1, 9 do theirs[i] = select(2, child:run(many)) end
  child:clear()
  own, theirs = timing.summary(own), timing.summary(theirs)
  print(("an empty launch  %s, CUDA's runtime %s"):format(units.time(own.median), units.time(theirs.median)))
  for _, key in ipairs { "median", "low", "high" } do
    own[key] = math.max(own[key] - theirs.median, 0)
  end
  side.limit("an empty launch beyond the driver's own", own, 1e-5)
  local batch = k { x, grid = 1, repeats = 1000 }
  print(("one of a thousand in a batch  %s"):format(units.time(batch.time)))
end

-- Copies between CPU and GPU, of one large buffer.
local function mirrored()
  local n = 1 << 28
  local b = gpu.buffer("float", n)
  local k = gpu.kernel "kernel void one(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] += 1; }"
  b:fill(1)
  local function timed(what, f)
    local start = system.now()
    f()
    local seconds = system.now() - start
    print(("%s  %s, %.1f GB/s"):format(units.pad(what, 44), units.time(seconds),
      4 * n / seconds / 1e9))
  end
  timed("a buffer of 1 GB to the GPU, and a launch", function() k { b, grid = n } end)
  timed("and back, and its sum", function() assert(b:sum() == 2 * n) end)
  timed("the sum alone", function() b:sum() end)
  timed("once more to the GPU, after b:fill", function() b:fill(3) k { b, grid = n } end)
  timed("one chunk back: an element", function() assert(b[12345] == 4) end)
  b:free()
end

----------------------------------------------------------------------- kernels

local list = {
  { "copy of 64M", "copy", { n = 1 << 26 } },
  { "saxpy, 64M", "saxpy", { n = 1 << 26 } },
  { "triad, 64M", "triad", { n = 1 << 26 } },
  { "sum of 64M, simd_sum", "sum_simd", { n = 1 << 26 } },
  { "transpose 8192², naive", "transpose_naive", { rows = 8192, columns = 8192 } },
  { "transpose 8192², tiles", "transpose_tiled", { rows = 8192, columns = 8192 } },
  { "transpose 8192², padded", "transpose_padded", { rows = 8192, columns = 8192 } },
  { "matmul 2048³, naive", "matmul_naive", { m = 2048, n = 2048, k = 2048 } },
  { "matmul 2048³, tiles of 16", "matmul_tiled", { m = 2048, n = 2048, k = 2048 } },
  { "matmul 2048³, tiles of 32", "matmul_tiled32", { m = 2048, n = 2048, k = 2048 } },
  { "mandelbrot 4096²", "mandelbrot", { rows = 4096, columns = 4096 } },
  { "Black-Scholes, 16M", "blackscholes", { n = 1 << 24 } },
  { "5 × 5 convolution, 4096²", "conv2d", { rows = 4096, columns = 4096 } },
  { "histogram of 64M", "histogram", { n = 1 << 26 } },
  { "life 8192²", "life", { rows = 8192, columns = 8192 } },
  { "65536 bodies", "nbody", { n = 65536 } },
  { "softmax of 8192 rows of 4096", "softmax", { rows = 8192, columns = 4096 } },
}

-- Both verified, then in turns; the ratio and Mettle's time, nil if one is
-- wrong. Of several launches the first is timed, which has the work.
local function beside(title, child, p, name, other)
  local check = p:verify()
  if not check.ok then print(title .. ": Mettle: " .. check.text) end
  if p.reset then p.reset() end
  child:load(p, { kernel = other })
  local theirs = child:verify()
  if not theirs.ok then
    print(("%s: %s: %s"):format(title, name, theirs.text))
  end
  if p.reset then p.reset() end
  local ratios, first
  if #p.steps > 1 then
    p.steps = { p.steps[1] }
    child:clear()
    child:load(p, { kernel = other })
  end
  if check.ok and theirs.ok then
    ratios, first = side.row(title, { "Mettle", function(n)
      return (p:run(n))
    end },
      { name, function(n) return (child:run(n)) end })
  end
  child:clear()
  return ratios and ratios[name], first
end

local function library(child)
  side.heading("kernels on " .. gpu.device.title .. ", and how many times as long nvcc's take")
  local product, count = 1, 0
  for _, entry in ipairs(list) do
    local title, name, sizes = table.unpack(entry)
    if title:find(only, 1, true) then
      local ratio = beside(title, child, kernels.workload(name, sizes), "nvcc")
      collectgarbage()
      if ratio then
        side.aim(title, "nvcc", ratio, 0.9)
        product, count = product * ratio.median, count + 1
      end
    end
  end
  if count > 0 then print(("geometric mean of %d: %.3f"):format(count, product ^ (1 / count))) end
end

-------------------------------------------------------------------- bandwidths

-- How many times a copy's bytes in a second, by the driver's own copy.
local function bandwidths(child)
  local n, size = 1 << 28, 256
  local x, y, z = gpu.buffer(n):random(1), gpu.buffer(n):random(2),
    gpu.buffer(n)
  local file = assert(io.open "bench/bandwidth.metal")
  local lib = gpu.library(file:read "a")
  file:close()
  child.child:tell("step", "-", "memcpy", "-")
  child.child:tell("data", child:file(x))
  child.child:tell("data", child:file(z))
  child.child:tell("range", "1 1 1 1 1 1")
  side.heading "bandwidth, and how many times a copy's"
  local function measure(title, bytes, run)
    local ratios, first = side.row(title, { "Mettle", run },
      { "a copy", function(k) return (child:run(k)) end })
    local r = ratios["a copy"]
    for _, key in ipairs { "median", "low", "high" } do
      r[key] = r[key] * bytes / (8 * n)
    end
    print(("  %.0f GB/s, %.2f of a copy's"):format(bytes / first.median / 1e9, r.median))
    side.aim(title .. ", its bandwidth", "a copy", r, 0.9)
  end
  local saxpy, sum = lib:kernel "saxpy_wide", lib:kernel "sum_wide"
  local groups, rounds = n // (16 * size), 16
  local sums = gpu.buffer(groups // rounds)
  saxpy { x, y, z, 2.5, groups = groups, group = size }
  assert(math.abs(z[12345] - (2.5 * x[12345] + y[12345])) < 1e-6)
  sum { x, sums, rounds, groups = groups // rounds, group = size }
  assert(math.abs(sums:sum() / x:sum() - 1) < 1e-5)
  measure("saxpy of 256M", 12 * n, function(k)
    return saxpy { x, y, z, 2.5, groups = groups, group = size,
      repeats = k }.time
  end)
  measure("sum of 256M", 4 * n, function(k)
    return sum { x, sums, rounds, groups = groups // rounds, group = size,
      repeats = k }.time
  end)
  child:clear()
end

---------------------------------------------------------------------- matrices

-- The numbers as another type; rows and columns as given.
local function converted(type, b, rows, columns)
  if b.type == type then return b end
  local k = gpu.kernel(([=[
kernel void convert(device const %s *from [[buffer(0)]], device %s *to [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) { to[i] = from[i]; }
]=]):format(b.type, type))
  local made = gpu.buffer(type, rows, columns)
  k { b, made, grid = #b }
  return made
end

local function matrices_of(type)
  local data = {}
  for key, v in pairs(kernels.data "matmul_naive") do data[key] = v end
  function data.arguments(s, make)
    local a, b = make.random(s.m, s.k), make.random(s.k, s.n)
    a, b = converted(type, a, s.m, s.k), converted(type, b, s.k, s.n)
    return { a = a, b = b, c = make.out("float", s.m, s.n), n = s.n, k = s.k }
  end
  function data.reference(s, arg, out, way)
    return cpu.matmul(converted("float", arg.a, s.m, s.k),
      converted("float", arg.b, s.k, s.n), out.c, way)
  end
  function data.launch(s)
    return { groups = { s.n // (type == "half" and 256 or 128), s.m // 128 },
      group = 256 }
  end
  return data
end

local function tera(n, time)
  return ("  %.1f TFLOP/s"):format(2 * n ^ 3 / time.median / 1e12)
end

local function matrices(child)
  local aims = { half = 0.5, float = 0.6 }
  local file = assert(io.open "bench/matmul.metal")
  local text = file:read "a"
  file:close()
  side.heading "products by simdgroup_matrix, and how many times as long cuBLAS takes"
  -- They reach the GPU's power limit, which then lowers its clock, in some
  -- tenths of a second: turns are so long that each has its own clock, as in
  -- use.
  local short = side.turn
  side.turn = 0.4
  for _, type in ipairs { "half", "float" } do
    for _, n in ipairs { 4096, 8192 } do
      local title = ("matmul %d³, %ss"):format(n, type)
      local data = matrices_of(type)
      local p = kernels.of_data("matmul_" .. type, data,
        { m = n, n = n, k = n },
        gpu.kernel(text, "matmul_" .. type))
      if n > 4096 then
        p.verify = function(self) self:run(1) return { ok = true } end
      end
      local ok, ratio, time = pcall(beside, title, child, p, "cuBLAS", "cublas_"
        .. type)
      if not ok then return print(title .. ": " .. tostring(ratio)) end
      if ratio then
        side.aim(title, "cuBLAS", ratio, aims[type])
        print(tera(n, time))
      end
      p = nil
      collectgarbage()
    end
  end
  side.turn = short
  local p = kernels.workload("matmul_simdgroup",
    { m = 4096, n = 4096, k = 4096 })
  local check = p:verify()
  local time = timing.summary { p:run(3), p:run(3), p:run(3) }
  print("matmul_simdgroup 4096³: " .. check.text .. tera(4096, time))
end

-- Before this process has the GPU: a person has it alone.
if only == "" or only == "waiting" then
  waiting(arg and arg[-1] or "build/mettle")
end
gpu.use "cuda"
local child = assert(pocl.open("build/bench/cuda", "build/bench"))
library(child)
if ("bandwidth"):find(only, 1, true) then bandwidths(child) end
if ("matmul"):find(only, 1, true) then matrices(child) end
if only == "" or only == "waiting" then
  empty_launch(child)
  child:close()
  mirrored()
else
  child:close()
end
side.write(("The cuda device: how many times as long nvcc's code takes (%s)"):format(gpu.device.title))
