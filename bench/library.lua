-- library.lua - the library's own kernels on a device, beside PyTorch where
-- that is installed for the GPU: `make bench DEVICE=cuda`. Each kernel's answer
-- is checked before it is timed; the two take turns, and the ratio is the
-- median of the rounds. BENCH_ONLY=matmul measures those whose name matches
-- that pattern of Lua, PYTHON names the Python with PyTorch, BENCH_SHRINK=64
-- takes sizes that are so much smaller, to try the script itself.
--
-- The answer is checked at the last of the kernel's sizes to try and, where the
-- CPU has it soon, at the size that is timed, without BENCH_CHECK=small.
local side = dofile "bench/side.lua"
local children = dofile "bench/child.lua"
local kernels = require "lua.workload.kernels"
local system = require "mettle.system"
local units = require "lua.text.units"
local only = os.getenv "BENCH_ONLY" or ""
local shrink = tonumber(os.getenv "BENCH_SHRINK" or "1")

local many, image = { n = 1 << 26 }, { rows = 8192, columns = 8192 }
local rows = { rows = 8192, columns = 4096 }
local cube = { m = 4096, n = 4096, k = 4096 }

-- What it is called, what PyTorch calls it with which of the sizes, the sizes,
-- and the kernels, the simplest first. 'slow': the CPU's answer takes long.
local list = {
  { "copy", "copy n", many, "copy copy_wide" },
  { "fill", "fill n", many, "fill fill_wide" },
  { "sum of two rows", "add n", many, "add add_wide" },
  { "product of two rows", "mul n", many, "mul" },
  { "k · x + y", "saxpy n", many, "saxpy triad" },
  { "relu", "relu n", many, "relu relu_wide" },
  { "gelu", "gelu n", { n = 1 << 26, which = 2 },
    "activations activations_wide" },
  { "sum", "sums n", many, "sum_tree sum_simd sum_wide sum_once" },
  { "scalar product", "dot n", many, "dot dot_wide" },
  { "running sums", "scan n", many, "scan scan_chunks" },
  { "histogram of bytes", "histogram n", many,
    "histogram histogram_wide" },
  { "sort", "sort n", { n = 1 << 20 }, "bitonic_sort" },
  { "uniform numbers", "uniform n", { n = 1 << 26, seed = 42 },
    "random_uniform" },
  { "normal numbers", "normal n", { n = 1 << 26, seed = 42 }, "random_normal" },
  { "transpose", "transpose rows columns", image,
    "transpose_naive transpose_tiled transpose_padded" },
  { "softmax of rows", "softmax rows columns", rows, "softmax softmax_once" },
  { "layer norm of rows", "layernorm rows columns", rows,
    "layernorm layernorm_once" },
  { "convolution of a row", "conv1d n k", { n = 1 << 24, k = 31 }, "conv1d" },
  { "convolution", "conv2d rows columns size",
    { rows = 4096, columns = 4096, size = 5 }, "conv2d" },
  { "largest of squares", "maxpool rows columns size",
    { rows = 8192, columns = 8192, size = 2 }, "maxpool" },
  { "product", "product m n k", cube,
    "matmul_naive matmul_tiled matmul_tiled32 matmul_blocked "
      .. "matmul_simdgroup matmul_registers matmul_wide", slow = true },
  { "layer of a network", "linear rows inputs outputs",
    { rows = 4096, inputs = 4096, outputs = 4096 }, "linear", slow = true },
  { "attention", "attention rows keys", { rows = 8192, keys = 8192 },
    "attention", slow = true },
}

-- Sizes of a few hundred at most stay as they are.
local function sizes_of(entry)
  local sizes = {}
  for key, n in pairs(entry[3]) do
    sizes[key] = n < 512 and n or math.max(512, n // shrink)
  end
  return sizes
end

---------------------------------------------------------------------- PyTorch

-- Its process, ready; nil and why not.
local function open_pytorch()
  local python = os.getenv "PYTHON" or "python3"
  local command = ("'%s' bench/pytorch.py %s 2>/dev/null"):format(python,
    gpu.device.name:match "^%a+")
  local folder = os.getenv "TMPDIR" or "/tmp"
  return children.open(command, folder)
end

-- A contender that does the operation; nil: it cannot, which is said.
local function contender(pytorch, title, entry, sizes)
  if not pytorch then return nil end
  local command = entry[2]:gsub("%a+", function(word)
    return sizes[word] and ("%d"):format(sizes[word])
  end)
  local ok, why = pcall(pytorch.tell, pytorch, "load", command)
  if not ok then
    print(("PyTorch: %s: %s"):format(title, why))
    return nil
  end
  return { "PyTorch", function(n)
    return tonumber((pytorch:tell("run", n)))
  end }
end

----------------------------------------------------------------------- kernels

-- Is its answer right? Else a reason.
local function checked(name, p, slow)
  local try = kernels.data(name).try
  local small = kernels.workload(name, try[#try]):verify()
  if not small.ok then return nil, small.text end
  if slow or os.getenv "BENCH_CHECK" == "small" then return true end
  local whole = p:verify()
  return whole.ok, whole.text
end

local function interval(s, show)
  return ("%s (%s to %s)"):format(show(s.median), show(s.low), show(s.high))
end

local function print_row(cells)
  print("| " .. table.concat(cells, " | ") .. " |")
  io.stdout:flush()
end

local function measure(name, entry, sizes, beside)
  local p = kernels.workload(name, sizes)
  local ok, why = checked(name, p, entry.slow)
  if not ok then return print_row { entry[1], name, "wrong: " .. why } end
  if p.reset then p.reset() end
  local own = { gpu.device.name, function(n) return (p:run(n)) end }
  local first, ratios = side.measure(own, beside)
  local cells = { entry[1] .. ", " .. kernels.sizes_text(sizes), name,
    interval(first, units.time) }
  if beside then cells[4] = interval(ratios.PyTorch, units.times) end
  print_row(cells)
  p = nil
  collectgarbage()
  collectgarbage()
end

local function wanted(entry)
  local names = {}
  for name in entry[4]:gmatch "%S+" do
    if name:find(only) then names[#names + 1] = name end
  end
  return names
end

local function run(pytorch)
  for _, entry in ipairs(list) do
    local names = wanted(entry)
    if #names > 0 then
      local sizes = sizes_of(entry)
      local beside = contender(pytorch, entry[1], entry, sizes)
      for _, name in ipairs(names) do
        local ok, why = pcall(measure, name, entry, sizes, beside)
        if not ok then print_row { entry[1], name, tostring(why) } end
      end
    end
  end
end

local start = system.now()
local pytorch, why = open_pytorch()
print(("Kernels of the library on %s, %s"):format(gpu.device.title,
  pytorch and "and how many times as long PyTorch takes"
    or "without PyTorch: " .. tostring(why)))
local head = { "what", "kernel", "time (95 %)", pytorch and "PyTorch takes" }
print_row(head)
print("|" .. ("---|"):rep(#head))
run(pytorch)
if pytorch then pytorch:close() end
print(("%.0f s"):format(system.now() - start))
