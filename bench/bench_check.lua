-- bench_check.lua - what watching costs: check{…} beside the plain launch, for
-- every kernel of the library, and beside Oclgrind, which does the like for
-- OpenCL, on some of them.
local side = dofile "bench/side.lua"
local pocl = dofile "bench/pocl.lua"
local kernels = require "lua.workload.kernels"
local system = require "mettle.system"
local units = require "lua.text.units"

-- kernel, title, sizes, what OpenCL needs to know (nil: Oclgrind is not asked)
local list = {
  { "saxpy", "saxpy, 256k", { n = 262144 }, {} },
  { "matmul_naive", "matmul 128³, naive", { m = 128, n = 128, k = 128 }, {} },
  { "matmul_tiled", "matmul 128³, tiles of 16", { m = 128, n = 128, k = 128 }, { options = "-DTILE=16" } },
  { "sum_tree", "sum of 256k, tree", { n = 262144 }, {} },
  { "mandelbrot", "mandelbrot 128²", { rows = 128, columns = 128 }, {} },
  { "blackscholes", "Black-Scholes, 64k", { n = 65536 }, {} },
  { "conv2d", "5 × 5 convolution, 256²", { rows = 256, columns = 256 }, {} },
  { "histogram", "histogram of 256k", { n = 262144 }, {} },
  { "nbody", "512 bodies", { n = 512 }, {} },
  { "softmax", "softmax, 128 rows of 256", { rows = 128, columns = 256 }, {} },
  { "matmul_simdgroup", "matmul 128³, simdgroup_matrix", { m = 128, n = 128, k = 128 } },
  { "matmul_tiled32", "matmul 128³, tiles of 32", { m = 128, n = 128, k = 128 } },
  { "matmul_blocked", "matmul 128³, blocks", { m = 128, n = 128, k = 128 } },
  { "linear", "linear layer, 64 rows", { rows = 64, inputs = 256, outputs = 256 } },
  { "attention", "attention", { rows = 128, keys = 128 } },
  { "layernorm", "layer norm, 128 rows of 256", { rows = 128, columns = 256 } },
  { "transpose_naive", "transpose 512², naive", { rows = 512, columns = 512 } },
  { "transpose_tiled", "transpose 512², tiles", { rows = 512, columns = 512 } },
  { "transpose_padded", "transpose 512², padded", { rows = 512, columns = 512 } },
  { "scan", "scan of 256k", { n = 262144 } },
  { "bitonic_sort", "bitonic sort of 16k", { n = 16384 } },
  { "conv1d", "convolution of 128k, 31 wide", { n = 131072 } },
  { "blur", "blur of 128²", { width = 128, height = 128 } },
  { "sobel", "sobel of 512²", { width = 512, height = 512 } },
  { "life", "life of 256²", { rows = 256, columns = 256 } },
  { "maxpool", "max pool of 512²", { rows = 512, columns = 512 } },
  { "mean", "mean of 512 rows of 512", { rows = 512, columns = 512 } },
}

-- All others of the library: 256k elements.
local function complete()
  local has = {}
  for _, entry in ipairs(list) do has[entry[1]] = true end
  for _, name in ipairs(kernels.names()) do
    if not has[name] then
      local data = kernels.data(name)
      local sizes = data.sizes.n and { n = 262144 } or data.try[#data.try]
      list[#list + 1] = { name, name .. (data.sizes.n and ", 256k" or ""),
        sizes }
    end
  end
end

-- Every launch of the workload checked, one schedule, n times.
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
complete()
local within, worst = 0, nil
for _, entry in ipairs(list) do
  local name, title, sizes, cl = table.unpack(entry, 1, 4)
  local p = kernels.workload(name, sizes)
  local watch = watched(p)
  -- code for the checker is made once, and that is not what is measured
  watch(1)
  local contenders = { { "check", watch }, { "plain", function(n)
    return select(2, p:run(n))
  end } }
  if child and cl then
    if p.reset then p.reset() end
    child:load(p, cl)
    contenders[3] = { "Oclgrind", function(n) return child:run(n) end }
  end
  local ratios = side.row(title, table.unpack(contenders))
  side.aim(title, "plain", ratios.plain, 1 / 60)
  if ratios.Oclgrind then side.aim(title, "Oclgrind", ratios.Oclgrind, 5) end
  if child then child:clear() end
  local times = 1 / ratios.plain.median
  if times <= 60 then within = within + 1 end
  if not worst or times > worst.times then
    worst = { title = title, times = times }
  end
  p = nil
  collectgarbage()
end
if child then child:close() end
print(("\n%d of %d kernels within 60 times the plain launch; the worst is %s, %s"):format(within, #list, worst.title,
  units.times(worst.times)))
side.write("check{…}: how many times as long a plain launch and Oclgrind (data races on) take")
