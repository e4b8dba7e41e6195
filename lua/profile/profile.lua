-- profile.lua - profile{…}: what a launch costs, counted as a GPU would see it.
--
--   profile.profile(t)          the global profile: { k, arguments…, grid = … }
--   profile.counts(k, launch)   the same for one launch
--   profile.finish(p, k)        the engine's counts become a result
--
-- The host engine counts (devices/profile.h): the numbers are a model and the
-- same on every machine. Here they become a few figures that a person asks for:
--
--   p.total, p.lines[n]   the counters, of all and of source line n
--   p.device_reads …      each counter of p.total by its own name
--   p.instructions        issued by SIMD-groups; p.active, the share of lanes
--                         in them
--   p.reads_per_thread, p.writes_per_thread      of device memory
--   p.coalescing          lines of memory needed / moved: 1 is ideal
--   p.conflicts           passes over the banks / needed: 1 is ideal
--   p.barriers            that a thread comes to, on average
--   p.busiest             instructions, device_reads, device_writes: the most
--                         of one thread
--   p.bytes, p.unique_bytes, p.operations
--   p.intensity           operations per byte, each byte moved once; nil with
--                         textures, whose bytes are not counted
--   p.roofline            its place under this machine's peaks (measured
--                         once), or with gpu = "M1" under that GPU's
--   p.registers           of 32 bits that a thread needs, an estimate
--   p.real_registers, p.local_bytes   of a cuda kernel's own code: registers,
--                         and local memory, in arrays and spills
--   p.unique_lines, p.reuse   different lines of memory; fetches of each
--   p.occupancy           with gpu = …: threads that fit on one of its cores,
--                         and what limits them (lua/reference/gpu_models.lua)
local watch = require "mettle.profile"
local check = require "lua.check.check"
local own_launch = require "lua.workload.own_launch"
local workload = require "lua.workload.workload"
local uses = require "lua.workload.uses"

local profile = {}

local function sum(t)
  local total = 0
  for _, v in pairs(t) do total = total + v end
  return total
end

local function ratio(a, b, otherwise) return b > 0 and a / b or otherwise end

-- About how much a SIMD-group pays: an instruction is 1, a slow one 4 more, a
-- line of memory 4, a pass over the banks 1, an atomic that waits for another
-- 1.
local function cost_of(c)
  return sum(
    c.issued) + 4 * c.issued.special + 4 * c.lines + c.banks + c.atomics_worst
end

local function add_cost(c)
  c.cost, c.instructions = cost_of(c), sum(c.issued)
  c.active = ratio(sum(c.lanes), 32 * c.instructions, 1)
  c.coalescing, c.conflicts = ratio(c.lines_ideal, c.lines, 1),
    ratio(c.banks, c.banks_ideal, 1)
end

------------------------------------------------------------------- the result

local methods = {}
profile.methods = methods -- for completion

-- Where the kernel stands: { memory, operations: the peaks; bound = "memory" or
-- "compute"; ridge: operations per byte from which on arithmetic is the limit;
-- attainable: operations per second at this intensity }.
local function roofline(p)
  if not p.intensity then return nil end
  local peaks = p:peaks()
  local ridge = peaks.operations / peaks.memory
  return { device = peaks.device, memory = peaks.memory,
    operations = peaks.operations, ridge = ridge,
    bound = p.intensity < ridge and "memory" or "compute",
    attainable = math.min(peaks.operations, p.intensity * peaks.memory) }
end

-- What the GPU can do: the chosen model's, or as measured of the device in use.
function methods:peaks()
  return self.model and require "lua.reference.gpu_models".peaks(self.model)
    or gpu.peaks()
end

function methods:json()
  local plain = {}
  for key, v in pairs(self) do plain[key] = v end
  plain.lines, plain.source, plain.model = {}, nil, nil
  for n, c in pairs(self.lines) do plain.lines[tostring(n)] = c end
  if #plain.unknown == 0 then plain.unknown = nil end
  return require "mettle.json".encode(plain, true)
end

local meta = { __name = "profile", __methods = methods }
function meta.__index(p, key)
  if key == "roofline" then
    rawset(p, "roofline", roofline(p))
    return rawget(p, "roofline")
  end
  return methods[key] or rawget(p, "total")[key]
end
function meta:__tostring() return require "lua.profile.text".text(self) end
function meta:__show()
  return require "lua.profile.text".text(self, require "lua.text.style")
end

function profile.finish(p, k)
  local t = p.total
  add_cost(t)
  for _, c in pairs(p.lines) do
    add_cost(c)
    c.share = ratio(c.cost, t.cost, 0)
  end
  p.groups = p.threadgroups
  if not p.file then p.source = k.source end
  p.reads_per_thread, p.writes_per_thread = t.device_reads / p.threads,
    t.device_writes / p.threads
  p.barriers = t.lanes.barrier / p.threads
  p.bytes = t.device_read_bytes + t.device_write_bytes
  p.textures = t.issued.texture > 0
  if not p.textures then
    p.intensity = ratio(t.operations, p.unique_bytes, 0)
  end
  -- a line that is fetched again may still be in a cache
  if p.unique_lines > 0 then p.reuse = t.lines / p.unique_lines end
  return setmetatable(p, meta)
end

-- The registers that the device's own compiler has counted, and the bytes that
-- did not fit into them; only cuda tells.
local function add_code(p, k)
  if not k.device:find "^cuda" then return end
  local ok, why = pcall(function() return tostring(k:why()) end)
  if not ok then return end
  p.real_registers = tonumber(why:match "registers of a thread: (%d+)")
  p.local_bytes = tonumber(why:match "spills%): (%d+) bytes")
end

-- How many threads fit on a core of the GPU that was chosen.
local function add_model(p, k, name)
  local models = require "lua.reference.gpu_models"
  p.model = models.find(name)
  p.occupancy = models.occupancy(p.model, p, p.real_registers)
end

profile.add_cost = add_cost

function profile.counts(k, launch, options)
  local host = check.host(k)
  local p = profile.finish(watch.run(host, launch), host)
  add_code(p, k)
  if options and options.gpu ~= nil then add_model(p, k, options.gpu) end
  return p
end

local words = { gpu = true }

-- { f, gpu = … }: all launches of a function.
local function of_sequence(t)
  for key in pairs(t) do
    if key ~= 1 and key ~= "concurrent" and not words[key] then
      error(("profile takes a function alone, "
        .. "or with gpu = …, not '%s'"):format(
        tostring(key)), 0)
    end
  end
  return require "lua.profile.sequence"(t[1], { gpu = t.gpu })
end

function profile.profile(t)
  local ok, p = pcall(function()
    local sequence = require "lua.workload.sequence"
    t = sequence.take(t)
    if type(t) == "table" and sequence.is(t[1]) then return of_sequence(t) end
    local k, all = own_launch.take(t, "profile", words)
    local launch, model = (check.split(k, all)), uses.word(all, "gpu")
    if model ~= nil then launch.gpu = nil end
    return profile.counts(k, launch, { gpu = model })
  end)
  if not ok then error(workload.plain(p), 2) end
  return p
end

return profile
