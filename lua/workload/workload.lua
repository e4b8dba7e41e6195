-- workload.lua - something to be computed: launches, what they must give, and
-- how much work it is. compare, sweep, bench and the tests all work on these;
-- kernels.lua makes them for the library, own_launch.lua for a person's launch,
-- sequence.lua for a function with several.
--
--   local p = workload.new { … }
--   p:verify()         runs it once and compares: { ok =, text =, … }
--   p:run(n)           runs it n times: seconds of one by the device's clock,
--                      and wall
--   p:ways()           names of the ways its CPU reference runs here
--   p:cpu_run(way, n)  runs the reference n times: seconds of one
--   p.restore()        if there: gives a person's outputs back what they held
--
-- Verification comes before any timing. Outputs are filled with nonsense first
-- where that is possible, so that what an earlier run left cannot pass for an
-- answer.
local objects = require "lua.workload.objects"
local verify = require "lua.workload.verify"

local workload = {}
local methods = {}
local meta = { __index = methods }
for name, f in pairs(verify.methods) do methods[name] = f end

function workload.new(p) return setmetatable(p, meta) end

local is_buffer, is_texture = objects.is_buffer, objects.is_texture
workload.is_buffer, workload.is_texture = is_buffer, is_texture
workload.is_kernel = objects.is_kernel

-- A message without the place in our own modules that it was raised at: the
-- person's own line is what helps.
function workload.plain(message)
  if type(message) ~= "string" then return message end
  local place, rest = message:match "^([^\n:]*%.lua):%d+: (.*)$"
  local ours = place and (place:find "%f[%w_]lua/%l+/[%w_]+%.lua$"
    or place:find "%f[%w_]kernels/[%w_]+%.lua$")
  return ours and rest or message
end

--------------------------------------------------------------------- running

local SAMPLES = 500 -- times of each launch that are kept

-- All steps in one command buffer; the times of each are kept in p.each.
local function run_steps(p, limit)
  local r = gpu.commands({ function()
    for _, step in ipairs(p.steps) do
      if step.barrier then gpu.barrier() end
      step.kernel(step.launch)
    end
  end, concurrent = p.concurrent or nil, limit = limit })
  p.commands = r
  -- what is asked of a last launch: its sizes, and the time of all
  p.last = setmetatable({ time = r.time, wall = r.wall }, { __index = r[#r] })
  p.each = p.each or {}
  for i, one in ipairs(r) do
    p.each[i] = p.each[i] or {}
    if one.time and #p.each[i] < SAMPLES then
      table.insert(p.each[i], one.time * one.repeats)
    end
  end
  return r.time, r.wall
end

-- One run of all steps.
local function run_once(p, limit)
  if #p.steps > 1 then return run_steps(p, limit) end
  local step = p.steps[1]
  local r = step.kernel(objects.with(step.launch, { limit = limit }))
  p.last = r
  return r.time, r.wall
end

-- Seconds that a sample may take with 'before' called between its runs: what it
-- does is not timed, but a person waits for it.
local PREPARED = 0.05

-- n runs, or as many as fit, with 'before' called ahead of each: every one is a
-- launch of its own.
local function run_prepared(p, n, limit)
  local now = require("mettle.system").now
  local time, wall, count, start = 0, 0, 0, now()
  repeat
    p.before()
    local own, launched = run_once(p, limit)
    time, wall, count = time + own, wall + launched, count + 1
  until count >= n or now() - start > PREPARED
  return time / count, wall / count, count
end

-- Run all steps n times; seconds of one round on the device, and by the wall,
-- and how many runs there were if not n.
-- 'limit', in seconds, for one run.
function methods:run(n, limit)
  local steps = self.steps
  if self.before then return run_prepared(self, n, limit) end
  if #steps == 1 then
    local r = steps[1].kernel(
      objects.with(steps[1].launch, { repeats = n, limit = limit }))
    self.last = r
    return r.time, r.wall
  end
  local time, wall = 0, 0
  for _ = 1, n do
    local own, launched = run_once(self, limit)
    time, wall = time + own, wall + launched
  end
  return time / n, wall / n
end

local ALONE = 3 -- runs of each launch by itself

-- The times of launches in a command buffer of their own, for a device that
-- times a command buffer as a whole.
local function times_alone(p)
  local each = { alone = true }
  for _ = 1, ALONE do
    if p.before then p.before() end
    for i, step in ipairs(p.steps) do
      local r = step.kernel(step.launch)
      each[i] = each[i] or {}
      table.insert(each[i], r.time * r.repeats)
    end
  end
  return each
end

-- What each launch of several took since the last call, as medians: { kernel,
-- time, share } in order, 'alone' if they did not run in one command buffer;
-- nil if there was none.
function methods:launch_times()
  local each, list, total = self.each, {}, 0
  local summary = require("lua.workload.timing").summary
  self.each = nil
  if not each or #self.steps < 2 then return nil end
  if #each[1] == 0 then each = times_alone(self) end
  list.alone = each.alone
  for i, step in ipairs(self.steps) do
    list[i] = { kernel = step.kernel.name, time = summary(each[i]).median }
    total = total + list[i].time
  end
  for _, one in ipairs(list) do
    one.share = total > 0 and one.time / total or 0
  end
  return list
end

-- Bytes that must be moved and operations that must be done, or nil.
function methods:work()
  local out = self.work_out or {}
  local function value(v)
    if type(v) == "function" then return v(out) end
    return v
  end
  return value(self.bytes), value(self.operations)
end

-- Bytes of all that it touches: each buffer and texture once.
function methods:working_set()
  local total, seen = 0, {}
  local function add(v)
    if not seen[v] and (is_buffer(v) or is_texture(v)) then
      seen[v] = true
      total = total + (is_buffer(v) and v or v:read()).bytes
    end
  end
  for _, v in pairs(self.values or self.arguments or {}) do
    add(v)
    if type(v) == "table" then for _, member in pairs(v) do add(member) end end
  end
  return total
end

--------------------------------------------------------------- CPU references

-- Names of the ways; {"Lua"} for a person's own function; none for a reference
-- that is there to check with, and whose time would say nothing about the CPU.
function methods:ways()
  if self.cpu then return self.cpu.ways end
  return self.reference and not self.check_only and { "Lua" } or {}
end

function methods:cpu_run(way, n)
  self.cpu_out = self.cpu_out or verify.clones(self)
  local total = 0
  for _ = 1, n do
    local now = require("mettle.system").now
    local start = now()
    local results = table.pack(
      self.reference(self.cpu_out, self.cpu and way or nil))
    local seconds = self.cpu and results[results.n]
    total = total + (type(seconds) == "number" and seconds or now() - start)
  end
  return total / n
end

return workload
