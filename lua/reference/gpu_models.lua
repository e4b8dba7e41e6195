-- gpu_models.lua - what a core of a few GPUs has, for profile{…, gpu = "M1"}:
-- how many threads it holds at once, and what the whole GPU can do.
--
--   models.find(name)          a row of the table, or an error that lists them
--   models.occupancy(m, p)     how many threads of a profile fit on a core
--   models.peaks(m)            { memory, operations, … } as of gpu.peaks()
--
-- Data with its sources. A core is Apple's word; NVIDIA's is multiprocessor.
local units = require "lua.text.units"

local models = {}

-- file: bytes of registers of a core; threads: the most it holds; registers:
-- of 32 bits, the most of a thread; grain: they come in such multiples; step:
-- so do threads; group: bytes of threadgroup memory of a core; groups:
-- threadgroups that it holds; memory: bytes a second; operations: of 32-bit
-- floats a second; dynamic: registers are given out while a kernel runs, so
-- that their number does not decide.
local apple7 = { file = 208 * 1024, threads = 3072, registers = 128, step = 64,
  group = 60 * 1024, grain = 4, source =
    "metal-benchmarks by P. Turner (registers, threads, memory of a core); "
      .. "Mesa's agx_performance.c (threads by registers)" }
local apple9 = { threads = 3072, registers = 128, step = 32, dynamic = true,
  group = 60 * 1024, grain = 4, source =
    "Apple, \"Explore GPU advancements in M3 and A17 Pro\" (registers are "
      .. "given out while a kernel runs); threads and threadgroup memory as of "
      .. "the M1, since Apple states none" }
local hopper = { file = 256 * 1024, threads = 2048, registers = 255, step = 32,
  group = 228 * 1024, groups = 32, grain = 8,
  source = "CUDA C++ Programming Guide, compute capability 9.0" }
local ada = { file = 256 * 1024, threads = 1536, registers = 255, step = 32,
  group = 100 * 1024, groups = 24, grain = 8,
  source = "CUDA C++ Programming Guide, compute capability 8.9" }
local ampere = { file = 256 * 1024, threads = 2048, registers = 255, step = 32,
  group = 164 * 1024, groups = 32, grain = 8,
  source = "CUDA C++ Programming Guide, compute capability 8.0" }

local turner = "metal-benchmarks by P. Turner"
local apple = "Apple's press releases"
local estimate = "128 lanes a core, 2 operations each, at about %s GHz"

local list = {
  { "M1", apple7, cores = 8, memory = 68e9, operations = 2.6e12,
    rates = turner },
  { "M1 Pro", apple7, cores = 16, memory = 200e9, operations = 5.3e12,
    rates = turner },
  { "M1 Max", apple7, cores = 32, memory = 400e9, operations = 10.6e12,
    rates = turner },
  { "M1 Ultra", apple7, cores = 64, memory = 800e9, operations = 21.2e12,
    rates = turner },
  { "M2", apple7, cores = 10, memory = 100e9, operations = 3.6e12,
    rates = turner },
  { "M2 Pro", apple7, cores = 19, memory = 200e9, operations = 6.8e12,
    rates = turner },
  { "M2 Max", apple7, cores = 38, memory = 400e9, operations = 13.6e12,
    rates = turner },
  { "M3", apple9, cores = 10, memory = 100e9, operations = 3.5e12,
    rates = estimate:format "1.4" },
  { "M3 Max", apple9, cores = 40, memory = 400e9, operations = 14.1e12,
    rates = estimate:format "1.4" },
  { "M4", apple9, cores = 10, memory = 120e9, operations = 3.8e12,
    rates = estimate:format "1.5" },
  { "M4 Pro", apple9, cores = 20, memory = 273e9, operations = 7.7e12,
    rates = estimate:format "1.5" },
  { "M4 Max", apple9, cores = 40, memory = 546e9, operations = 15.4e12,
    rates = estimate:format "1.5" },
  { "A100", ampere, cores = 108, memory = 1555e9, operations = 19.5e12,
    rates = "NVIDIA's data sheet, 40 GB" },
  { "RTX 4090", ada, cores = 128, memory = 1008e9, operations = 82.6e12,
    rates = "NVIDIA's Ada whitepaper" },
  { "H100", hopper, cores = 132, memory = 3350e9, operations = 67e12,
    rates = "NVIDIA's data sheet, SXM" },
  { "H200", hopper, cores = 132, memory = 4800e9, operations = 67e12,
    rates = "NVIDIA's data sheet, SXM" },
}

local by_name, names = {}, {}
for i, row in ipairs(list) do
  local m = { name = row[1], cores = row.cores, memory = row.memory,
    operations = row.operations, rates = row.rates
      .. (row[2] ~= hopper and row[2] ~= ada and row[2] ~= ampere
        and "; memory: " .. apple or "") }
  for key, v in pairs(row[2]) do m[key] = v end
  names[i], by_name[row[1]:lower():gsub("%s", "")] = row[1], m
end
models.names = names

function models.find(name)
  local key = type(name) == "string"
    and name:lower():gsub("^apple", ""):gsub("^nvidia", ""):gsub("%s", "")
  local m = key and by_name[key]
  if not m then
    error(("gpu is the name of a GPU that profile knows: %s; not %s"):format(
      table.concat(names, ", "), tostring(name)), 0)
  end
  return m
end

local function up(n, to) return (n + to - 1) // to * to end

-- Threadgroups of a kernel that fit on a core, by each of its resources; the
-- least decides. 'registers' of a thread may be more than the profile's, where
-- a compiler has counted them.
function models.occupancy(m, p, registers)
  local threads = p.group[1] * p.group[2] * p.group[3]
  local wide = up(threads, 32)
  registers = registers or p.registers
  local limits = { { "threads", m.threads // wide } }
  local function add(what, groups) limits[#limits + 1] = { what, groups } end
  if m.groups then add("threadgroups", m.groups) end
  if (p.threadgroup_bytes or 0) > 0 then
    add("threadgroup memory", m.group // p.threadgroup_bytes)
  end
  if registers and not m.dynamic then
    local each = up(math.min(registers, m.registers), m.grain)
    local fit = m.file // (4 * each) // m.step * m.step
    add("registers", fit // wide)
  end
  local least = limits[1]
  for _, limit in ipairs(limits) do
    if limit[2] < least[2] then least = limit end
  end
  return { gpu = m.name, threads = least[2] * threads,
    groups = least[2], share = least[2] * wide / m.threads, limit = least[1],
    registers = registers, spills = registers and registers > m.registers
      or false, estimate = true, source = m.source }
end

function models.peaks(m)
  return { device = m.name, title = "from a table", memory = m.memory,
    operations = m.operations, cache = m.memory, source = m.rates }
end

-- "1,536 of 3,072 threads of an M1's core (50 %), limited by registers"
function models.words(o, m)
  if o.groups == 0 then
    return ("no threadgroup fits on a core of %s: its %s is too little"):format(
      m.name, o.limit)
  end
  return ("%s of the %s threads that a core of %s holds (%s), "
    .. "limited by %s%s"):format(
    units.count(o.threads), units.count(m.threads), m.name,
    units.percent(math.min(1, o.share)), o.limit,
    m.dynamic and "; its registers are given out while a kernel runs" or "")
end

return models
