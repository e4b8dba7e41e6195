-- peaks.lua - gpu.peaks(): the most this device can do, measured once per
-- machine and kept in the state folder.
--
-- Bytes a second from memory (arrays far larger than a cache), bytes a second
-- from caches (arrays that fit) and how much fits, and operations a second
-- (fused multiply-adds, two operations each, on numbers in registers). They are
-- what kernels get here, not what a data sheet promises; so a share of peak of
-- 100 % can be reached.
local contest = require "lua.workload.contest"
local json = require "mettle.json"
local system = require "mettle.system"
local timing = require "lua.workload.timing"
local units = require "lua.text.units"

local peaks = {}
local FORMAT = 4

-- Chains of multiply-adds that do not wait for each other; how many keep a
-- machine busiest differs, so several are tried.
local SOURCE = [=[
#include <metal_stdlib>
using namespace metal;
kernel void busy(device float *x [[buffer(0)]], constant uint &rounds [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float a[CHAINS], b = x[i], c = 0.5f;
  for (uint j = 0; j < CHAINS; j++) a[j] = float(j);
  for (uint r = 0; r < rounds; r++)
    for (uint j = 0; j < CHAINS; j++) a[j] = fma(a[j], b, c);
  float sum = 0;
  for (uint j = 0; j < CHAINS; j++) sum += a[j];
  x[i] = sum * 0.0f + b;
}
]=]

local THREADS, ROUNDS = 65536, 256

-- A GPU does in microseconds what a launch costs, and what one core does in a
-- second. So work there is repeated inside a launch, so often that it takes
-- this long.
local LAUNCH = 3e-4

-- How often f, which takes a number of rounds and gives seconds, is to go
-- round.
local function rounds_for(f, from)
  if not gpu.device.is_gpu then return from end
  -- the first is not warm, and of short ones the launch is a part
  for _ = 1, 3 do
    from = math.max(1, math.min(1 << 16,
      math.ceil(from * LAUNCH / math.max(f(from), 1e-7))))
  end
  return from
end

-- The largest spread of what was measured since it was set to 0.
local noise = 0

-- As timing.measure, of which the shortest time counts.
local function shortest(run, options)
  local t = timing.measure(run, options)
  noise = math.max(noise, t.spread)
  return t.low
end

local function operations(progress)
  local device = gpu.device
  local threads = math.max(THREADS, device.is_gpu and device.units * 2048 or 0)
  local x, best = gpu.buffer(threads):fill(0.5), 0
  for _, chains in ipairs { 1, 2, 4, 8 } do
    local k = gpu.kernel(SOURCE,
      { defines = { CHAINS = chains }, math = "safe" })
    local rounds = rounds_for(
      function(n) return k { x, n, grid = threads }.time end, ROUNDS)
    local low = shortest(function(n)
      local r = k { x, rounds, grid = threads, repeats = n }
      return r.time, r.wall
    end, { budget = 0.15, warm = 0.02 })
    best = math.max(best, 2 * threads * rounds * chains / low)
    if progress then progress:part(chains / 8) end
  end
  return best
end

-- Each round reads all of x; a thread reads what another one has read before,
-- which is not in the cache of its own core.
local AGAIN = [=[
#include <metal_stdlib>
using namespace metal;
kernel void again(device const float4 *x [[buffer(0)]], device float *out [[buffer(1)]],
                  constant uint &rounds [[buffer(2)]], constant uint &shift [[buffer(3)]],
                  uint i [[thread_position_in_grid]], uint n [[threads_per_grid]]) {
  float4 sum = 0;
  uint at = i;
  for (uint r = 0; r < rounds; r++) {
    sum += x[at];
    at += shift;
    if (at >= n) at -= n;
  }
  if (sum.x + sum.y + sum.z + sum.w == 1) out[0] = 1; // x is 0: it is read, and nothing written
}
]=]

-- Bytes a second that a GPU reads from its caches, data of that many bytes.
local function cached(bytes)
  local n = bytes // 16
  local x, out, k = gpu.buffer(4 * n), gpu.buffer(1), gpu.kernel(AGAIN)
  -- rounds of a thread are then far apart
  local shift = math.floor(n * 0.618 / 256) * 256 + 256
  local function go(rounds, times)
    return k { x, out, rounds, shift, grid = n, repeats = times }
  end
  local rounds = rounds_for(function(r) return go(r, 1).time end, 8)
  local low = shortest(function(times)
    local r = go(rounds, times)
    return r.time, r.wall
  end, { budget = 0.2, warm = 0.03 })
  x:free()
  return bytes * rounds / low
end

-- Bytes a second of one kernel over three arrays of n floats, or of another
-- that does the same with one element per thread; devices differ in what they
-- like.
local function bandwidth(n)
  local a, b, c = gpu.buffer(n):fill(1), gpu.buffer(n):fill(1),
    gpu.buffer(n):fill(1)
  local triad, saxpy, best = gpu.kernel "triad", gpu.kernel "saxpy", 0
  local runs = {
    function(times) return triad { a, b, c, 3, n, grid = n // 4,
      repeats = times } end,
    function(times) return saxpy { 3, b, c, a, n, grid = n,
      repeats = times } end,
  }
  for _, run in ipairs(runs) do
    local low = shortest(function(times)
      local r = run(times)
      return r.time, r.wall
    end, { budget = 0.2, warm = 0.03 })
    best = math.max(best, 12 * n / low)
  end
  a:free(); b:free(); c:free()
  return best
end

-- Bytes that stay in a cache. 'rates' are { bytes, bytes a second }, smallest
-- first: as far as they are nearer to the cache's rate than to memory's, and
-- half of the way (of the powers) to the size that is not. 0 if memory is as
-- fast.
function peaks.capacity(rates, memory, cache)
  if cache < 1.25 * memory then return 0 end
  local fits, next_size = 0, nil
  for i, r in ipairs(rates) do
    if r[2] * r[2] < cache * memory then break end
    fits, next_size = r[1], rates[i + 1] and rates[i + 1][1] or r[1]
  end
  return fits > 0 and math.sqrt(fits * next_size) or 0
end

local MB = 1 << 20

-- How many bytes the caches are tried with, and what measures them.
local function cache_sizes()
  if gpu.device.is_gpu then
    return { 3 * MB, 6 * MB, 12 * MB, 24 * MB, 48 * MB, 96 * MB }, cached
  end
  return { 12 * (64 << 10), 12 * (256 << 10), 12 * MB, 48 * MB },
    function(bytes) return bandwidth(bytes // 12) end
end

-- 3 × 128 MB, or an eighth of the memory if that is less; and, for the caches,
-- the best of a few sizes. Where measurements are quick, 3 × 8 MB must do.
function peaks.measure(progress)
  noise = 0
  local most = math.min(timing.quick and 2 << 20 or 32 << 20,
    (gpu.device.memory > 0 and gpu.device.memory or 1 << 30) // 96)
  progress:step "memory"
  local memory = bandwidth(most // 4 * 4)
  progress:step "caches"
  local cache, rates = memory, {}
  local sizes, of = cache_sizes()
  for i, bytes in ipairs(sizes) do
    rates[i] = { bytes, of(bytes) }
    cache = math.max(cache, rates[i][2])
  end
  rates[#rates + 1] = { 12 * most, memory }
  progress:step "arithmetic"
  return { memory = memory, cache = cache,
    cache_bytes = peaks.capacity(rates, memory, cache),
    operations = operations(progress) }, noise
end

------------------------------------------------------------------------ keeping

local function file_name()
  return system.state and system.state .. "/peaks.json"
end

-- All that is kept, by machine; a file that cannot be read is begun again.
local function load_all()
  local file = file_name() and io.open(file_name())
  if not file then return {} end
  local text = file:read "a"
  file:close()
  local ok, kept = pcall(json.decode, text)
  if not ok or type(kept) ~= "table" or kept.format ~= FORMAT then return {} end
  return type(kept.machines) == "table" and kept.machines or {}
end

local function keep(key, p)
  if not file_name() then return end
  local machines = load_all()
  machines[key] = p
  pcall(system.write, file_name(),
    json.encode({ format = FORMAT, machines = machines }, true) .. "\n")
end

-- What the figures depend on.
local function key_of(device)
  return table.concat({ device.name, device.title, device.units, system.cores,
    system.architecture,
    "mettle " .. system.version }, ", ")
end

local function sound(p)
  if type(p) ~= "table" then return false end
  for _, name in ipairs { "memory", "cache", "operations" } do
    if type(p[name]) ~= "number" or p[name] <= 0 then return false end
  end
  return type(p.cache_bytes) == "number" and p.cache_bytes >= 0
end

--------------------------------------------------------------------- gpu.peaks

local meta = { __name = "peaks" }

function meta:__tostring()
  return (
    "%s (%s)\n  memory  %s\n  caches  %s%s\n  floats  "
      .. "%s\n  measured %s"):format(
    self.device, self.title, units.rate(self.memory, "B/s"),
      units.rate(self.cache, "B/s"),
    self.cache_bytes > 0 and (", for data of up to about %s"):format(
      units.bytes(self.cache_bytes)) or "",
    units.rate(self.operations, "FLOP/s"), self.when)
    .. (self.busy and (" while this machine was busy (± %s): it can do more, "
      .. "and will be measured again"):format(
      units.percent(self.noise)) or "")
end

local known = {} -- by key, in this session

peaks.patience = 60 -- seconds until a busy machine is tried again

-- Is it time to measure what was measured on a busy machine once more?
local function is_due(p)
  return p.busy and system.now() - p.at >= peaks.patience
end

-- Measure, and keep under 'key', unless the machine was busy meanwhile or no
-- measurement may take its time. Where
-- 'old' was better it stays; a cache's size does not change, so it stays too
-- (if it was measured in peace), and with it what is compared with which
-- limit.
local function measure_and_keep(key, old)
  local progress = require("lua.session.progress").new(
    "measuring this machine's peaks, once", 3)
  local ok, p, spread = system.attempt(peaks.measure, progress)
  progress:done()
  if not ok then timing.fail(p) end
  for name, v in pairs(p) do p[name] = math.max(v, old and old[name] or 0) end
  if old and not old.busy then p.cache_bytes = old.cache_bytes end
  p.when = os.date "%Y-%m-%d"
  if contest.noisy { spread = spread } then
    p.busy, p.noise, p.at = true, spread, system.now()
  elseif not timing.quick then
    keep(key, p)
  end
  return p
end

-- Something went faster than the peaks: the machine may have been busy when
-- they were measured. Once more, and the better of the two.
function peaks.improve()
  local device = gpu.device
  local key = key_of(device)
  local p = measure_and_keep(key, known[key])
  p.device, p.title = device.name, device.title
  known[key] = setmetatable(p, meta)
  return p
end

-- gpu.peaks() -> { memory, cache, cache_bytes, operations, device, title, when
-- }; measured again with gpu.peaks{again = true}.
function peaks.peaks(options)
  if options ~= nil and type(options) ~= "table" then
    error("gpu.peaks takes nothing, or {again = true}", 2)
  end
  local again = options and options.again
  local device = gpu.device
  local key = key_of(device)
  if not again and known[key] then
    return is_due(known[key]) and peaks.improve() or known[key]
  end
  local p = not again and load_all()[key]
  if not sound(p) then p = measure_and_keep(key) end
  p.device, p.title = device.name, device.title
  known[key] = setmetatable(p, meta)
  return p
end

return peaks
