-- bench_kernels.lua - kernels of the library beside the CPU references.
local side = dofile "bench/side.lua"
local kernels = require "lua.workload.kernels"

local list = {
  { "saxpy, 16M", "saxpy", { n = 16000000 } },
  { "triad, 16M", "triad", {} },
  { "relu, 1M", "relu", {} },
  { "transpose 2048², padded", "transpose_padded", {} },
  { "sum 16M, tree", "sum_tree", {} },
  { "sum 16M, simd_sum", "sum_simd", {} },
  { "matmul 1024³, naive", "matmul_naive", {} },
  { "matmul 1024³, tiled 16", "matmul_tiled", {} },
  { "matmul 1024³, tiled 32", "matmul_tiled32", {} },
  { "matmul 1024³, blocked", "matmul_blocked", {} },
  { "matmul 1024³, simdgroup", "matmul_simdgroup", {} },
  { "5 × 5 convolution, 1024²", "conv2d", {} },
  { "histogram, 4M", "histogram", {} },
  { "scan, 1M", "scan", {} },
  { "softmax, 1024²", "softmax", {} },
  { "mandelbrot, 1024²", "mandelbrot", {} },
  { "Black-Scholes, 1M", "blackscholes", {} },
  { "4096 bodies", "nbody", {} },
}

side.heading("kernels on " .. gpu.device.name .. ", and how many times as long the CPU takes")
for _, entry in ipairs(list) do
  local p = kernels.workload(entry[2], entry[3])
  local check = p:verify()
  if not check.ok then
    print(entry[1] .. ": " .. check.text)
  else
    local contenders = { { gpu.device.name, function(n) return p:run(n) end } }
    for _, way in ipairs(p:ways()) do
      contenders[#contenders + 1] = { way, function(n)
        return p:cpu_run(way, n)
      end }
    end
    side.row(entry[1], table.unpack(contenders))
  end
  collectgarbage()
end
