-- on_cuda.lua - the cuda device beside nvcc -O3: the same kernels, line by line,
-- in CUDA C++ (bench/kernels.cu), on the same data and in turns. `make bench-cuda`
-- builds the contender and runs it; BENCH_ONLY=matmul measures a part.
local side = dofile "bench/side.lua"
local pocl = dofile "bench/pocl.lua"
local kernels = require "lua.kernels"
local only = os.getenv "BENCH_ONLY" or ""

gpu.use "cuda"
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

local child = assert(pocl.open("build/bench/cuda", "build/bench"))
side.heading("kernels on " .. gpu.device.title .. ", and how many times as long nvcc's take")
local product, count = 1, 0
for _, entry in ipairs(list) do
  local title, name, sizes = table.unpack(entry)
  if title:find(only, 1, true) then
    local p = kernels.problem(name, sizes)
    local check = p:verify()
    if not check.ok then print(title .. ": Mettle: " .. check.text) end
    if p.reset then p.reset() end
    child:load(p, {})
    local other = child:verify()
    if not other.ok then print(title .. ": nvcc: " .. other.text) end
    if p.reset then p.reset() end
    if check.ok and other.ok then
      local ratios = side.row(title, { "Mettle", function(n) return (p:run(n)) end },
        { "nvcc", function(n) return (child:run(n)) end })
      side.aim(title, "nvcc", ratios.nvcc, 0.9)
      product, count = product * ratios.nvcc.median, count + 1
    end
    child:clear()
    p = nil
    collectgarbage()
  end
end
child:close()
if count > 0 then print(("geometric mean of %d: %.3f"):format(count, product ^ (1 / count))) end
side.write(("The cuda device: how many times as long nvcc's code takes (%s)"):format(gpu.device.title))
