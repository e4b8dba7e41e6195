-- bench_check.lua - what watching costs: check{…} beside the plain launch, and
-- beside Oclgrind, which does the like for OpenCL, on the same kernels.
local side = dofile "bench/side.lua"
local pocl = dofile "bench/pocl.lua"
local kernels = require "lua.kernels"
local system = require "mettle.system"

-- title, kernel, sizes, what OpenCL needs to know (nil: Oclgrind cannot)
local list = {
  { "saxpy, 256k", "saxpy", { n = 262144 }, {} },
  { "matmul 128³, naive", "matmul_naive", { m = 128, n = 128, k = 128 }, {} },
  { "matmul 128³, tiles of 16", "matmul_tiled", { m = 128, n = 128, k = 128 }, { options = "-DTILE=16" } },
  { "sum of 256k, tree", "sum_tree", { n = 262144 }, {} },
  { "mandelbrot 128²", "mandelbrot", { rows = 128, columns = 128 }, {} },
  { "Black-Scholes, 64k", "blackscholes", { n = 65536 }, {} },
  { "5 × 5 convolution, 256²", "conv2d", { rows = 256, columns = 256 }, {} },
  { "histogram of 256k", "histogram", { n = 262144 }, {} },
  { "512 bodies", "nbody", { n = 512 }, {} },
  { "softmax, 128 rows of 256", "softmax", { rows = 128, columns = 256 }, {} },
  { "matmul 128³, simdgroup_matrix", "matmul_simdgroup", { m = 128, n = 128, k = 128 }, nil },
  { "transpose 512², padded", "transpose_padded", { rows = 512, columns = 512 }, nil },
  { "scan of 256k", "scan", { n = 262144 }, nil },
  { "attention", "attention", { rows = 128, keys = 128 }, nil },
}

-- Every launch of the problem under watch, one schedule, n times.
local function watched(p)
  return function(n)
    local start = system.now()
    for _ = 1, n do
      for _, step in ipairs(p.steps) do
        local t = { step.kernel, schedules = 0 }
        for key, v in pairs(step.launch) do
          if math.type(key) == "integer" then t[key + 1] = v else t[key] = v end
        end
        local r = check(t)
        if #r > 0 then error(p.name .. ": a finding in a correct kernel: " .. tostring(r), 0) end
      end
    end
    return (system.now() - start) / n
  end
end

local has_oclgrind = os.execute "command -v oclgrind >/dev/null 2>&1"
local child, why
if has_oclgrind then
  child, why = pocl.open("build/bench/opencl", "build/bench", "oclgrind --data-races")
else
  why = "oclgrind is not installed: make bench installs it on Debian"
end
if not child then print("without Oclgrind: " .. why) end

side.heading "check{…}: how many times as long the plain launch and Oclgrind take"
for _, entry in ipairs(list) do
  local title, name, sizes, cl = table.unpack(entry, 1, 4)
  local p = kernels.problem(name, sizes)
  local contenders = { { "check", watched(p) }, { "plain", function(n) return select(2, p:run(n)) end } }
  if child and cl then
    if p.reset then p.reset() end
    child:load(p, cl)
    contenders[3] = { "Oclgrind", function(n) return child:run(n) end }
  end
  local ratios = side.row(title, table.unpack(contenders))
  side.aim(title, "plain", ratios.plain, 1 / 60)
  if ratios.Oclgrind then side.aim(title, "Oclgrind", ratios.Oclgrind, 5) end
  if child then child:clear() end
  p = nil
  collectgarbage()
end
if child then child:close() end
side.write("check{…}: how many times as long a plain launch and Oclgrind (data races on) take")
