-- rows.lua - the rows of a comparison: a workload's times on the device in use
-- and in each way of its CPU reference, with rates and notes.
--
--   rows.report(device)                      a report without rows: what is
--                                            known of it
--   rows.size_up(p, r)                       how much work it is, and what the
--                                            device can do
--   rows.measure_device(p, r, options, bar)  true if Ctrl-C came
--   rows.measure_cpus(p, r, options, bar)    r.cut if Ctrl-C came
--   rows.compare_with(base, row)             how the kernel compares with this
--                                            row
--   rows.bound(row, peaks, working_set)      which limit binds, and its share
--   rows.add_gpu_cost(p, r, options)         what the profiler knows of a GPU
--   rows.finish(p, r)                        the last notes
--   rows.long_work(p)                        will a single run take more than a
--                                            moment?
local contest = require "lua.workload.contest"
local objects = require "lua.workload.objects"
local system = require "mettle.system"
local timing = require "lua.workload.timing"
local units = require "lua.text.units"

local rows = {}

------------------------------------------------------------------------- rates

-- The rates of one row: bytes and operations a second.
local function rate(row, bytes, operations)
  row.bandwidth = bytes and bytes > 0 and bytes / row.median or nil
  row.rate = operations and operations > 0 and operations / row.median or nil
end

-- Which limit binds, and how much of it was reached. Memory or cache: the size
-- of the data decides, not the time that was measured, so that the same work is
-- always compared with the same limit. A sentence if the figures cannot be,
-- else nil.
function rows.bound(row, peaks, working_set)
  -- nothing is known of its work
  if not row.bandwidth and not row.rate then return nil end
  local from = working_set and working_set <= peaks.cache_bytes and "cache"
    or "memory"
  local memory = row.bandwidth and row.bandwidth / peaks[from] or 0
  local floats = row.rate and row.rate / peaks.operations or 0
  row.bound = floats > memory and "floats" or from
  row.share = math.max(memory, floats)
  return timing.impossible(row.bandwidth, peaks.cache, "fastest cache", "B/s")
    or timing.impossible(row.rate, peaks.operations, "arithmetic", "FLOP/s")
end

local again_for = {} -- devices whose peaks were measured again in this session

-- The rates on the device. What seems impossible may be an outdated peak: then
-- the peaks are measured again, once.
local function rate_device(r, row)
  rate(row, r.bytes, r.operations)
  local flagged = rows.bound(row, r.peaks, r.working_set)
  if (row.share or 0) > 1.05 and not again_for[r.device] then
    again_for[r.device] = true
    r.peaks = require("lua.measure.peaks").improve()
    flagged = rows.bound(row, r.peaks, r.working_set)
  end
  if flagged then row.share = nil end
  return flagged
end

local function row_of(name, t, way)
  return { name = name, way = way, median = t.median, low = t.low,
    high = t.high, spread = t.spread, count = t.count,
    runs = t.runs, wall = t.wall, cut = t.cut }
end

local function cpu_name(way)
  if way == "one core" then return "CPU, one core" end
  if way == "all cores" then
    return "CPU, " .. units.many(system.cores, "core")
  end
  if way == "vendor" then return "CPU, " .. cpu.vendor():match "^%S+" end
  return "your function"
end

--------------------------------------------------------------------- measuring

function rows.measure_device(p, r, options, bar)
  bar:step(r.device)
  p.each = nil -- those of verifying
  local t = timing.measure(function(n) return p:run(n) end,
    { budget = options.budget,
      progress = function(spent, budget) bar:part(spent / budget) end })
  local row = row_of(r.device .. (r.is_gpu and ", GPU time" or ""), t)
  row.device = r.device
  r.launches, r.commands = p:launch_times(), p.commands
  r.rows[#r.rows + 1] = row
  local flagged = rate_device(r, row)
  if flagged then r.notes[#r.notes + 1] = flagged
  elseif row.bound == "cache" then
    r.notes[#r.notes + 1] =
      ("the data, %s, stays in a cache: with more of it memory will be the "
        .. "limit, %s here"):format(
      units.bytes(r.working_set), units.rate(r.peaks.memory, "B/s"))
  elseif row.bound == "memory" and row.share > 1.05 then
    r.notes[#r.notes + 1] =
      "faster than memory alone: a part of the data stays in a cache"
  end
  if r.is_gpu then
    local wall = row_of(r.device .. ", launched", t)
    wall.median, wall.low, wall.high, wall.spread = t.wall, t.launched.low,
      t.launched.high, t.launched.spread
    rate(wall, r.bytes, r.operations)
    r.rows[#r.rows + 1] = wall
  end
  -- several steps are one command buffer, which is as good as a batch
  local short = timing.too_short(t, r.overhead, #p.steps,
    p.before and #p.steps == 1)
  if short then r.notes[#r.notes + 1] = short end
  return t.cut
end

-- How the kernel compares with this row, and whether that can be told.
function rows.compare_with(base, row)
  if not base then return end
  row.speedup = row.median / base.median
  row.known = contest.is_known(base, row)
end

local function measure_cpu(p, r, way, options, bar)
  bar:step(cpu_name(way))
  local t = timing.measure(function(n) return p:cpu_run(way, n) end,
    { budget = options.budget,
      progress = function(spent, budget) bar:part(spent / budget) end })
  local row = row_of(cpu_name(way), t, way)
  rate(row, r.bytes, r.operations)
  rows.compare_with(r.base, row)
  r.rows[#r.rows + 1] = row
  return t.cut
end

--------------------------------------------------- what a GPU would pay

local COUNTED = 0.05 -- seconds: who gives a row less wants no more than a look
local earlier = {}   -- what was compared in this session, by what it computes

-- What it computes: another kernel for the same has the same key.
local function key_of(p, r)
  local reference = p.cpu and p.cpu.name or p.reference_key
  if not reference then return nil end
  local sizes = {}
  for _, output in ipairs(p.outputs) do
    sizes[#sizes + 1] = ("%s %d"):format(output.name,
      objects.contents(output).bytes)
  end
  return table.concat({ r.device, tostring(reference), tostring(r.bytes),
    table.concat(sizes, ", ") }, "; ")
end

-- On the host: what the profiler knows of a GPU, where the time here hides it.
function rows.add_gpu_cost(p, r, options)
  local budget = math.min(options.budget or timing.standard.budget,
    timing.quick or math.huge)
  if r.is_gpu or r.cut or budget < COUNTED then return end
  local gpu_cost = require "lua.measure.gpu_cost"
  local ok, c = system.attempt(gpu_cost.of, p, math.min(budget, 0.3))
  if not ok then
    if c == "interrupted" then r.cut = true end
    return -- what cannot be counted has no note
  end
  r.counted = c
  r.notes[#r.notes + 1] = gpu_cost.remark(c)
  local key, mine = key_of(p, r),
    { name = r.name, median = r.rows[1].median, counted = c,
      time = r.rows[1] }
  if not key then return end
  earlier[key] = earlier[key] or {}
  local note, most
  for name, other in pairs(earlier[key]) do
    local sentence, times = gpu_cost.order(mine, other)
    if sentence and name ~= r.name and times > (most or 0) then
      note, most = sentence, times
    end
  end
  r.notes[#r.notes + 1] = note
  earlier[key][r.name] = mine
end

-- A median that is known badly is said to be so, once.
local function note_spread(r)
  local worst
  for _, row in ipairs(r.rows) do
    if contest.noisy(row) and (not worst or row.spread > worst.spread) then
      worst = row
    end
  end
  if worst then
    r.notes[#r.notes + 1] = contest.noise(worst.name, worst, r.budget)
  end
end

-- What to do where the table says that it cannot tell.
local function note_unknown(r)
  local names = {}
  for _, row in ipairs(r.rows) do
    if row.known == false then names[#names + 1] = row end
  end
  if #names > 0 then
    r.notes[#r.notes + 1] =
      ("cannot tell whether the kernel is faster than %s: "
        .. "their intervals overlap; %s"):format(
        contest.names(names), contest.advice(r.budget))
  end
end

-- Will a single run take more than a moment?
function rows.long_work(p)
  local ok, bytes, operations = pcall(p.work, p)
  return ok and ((bytes or 0) > 4e8 or (operations or 0) > 2e9)
end

function rows.measure_cpus(p, r, options, bar)
  for _, way in ipairs(p:ways()) do
    if r.cut then return end
    local ok, cut = system.attempt(measure_cpu, p, r, way, options, bar)
    if not ok and cut ~= "interrupted" then error(cut, 0) end
    r.cut = cut -- nothing of this row, perhaps, but the others are there
  end
end

-- The last notes of a report.
function rows.finish(p, r)
  if p.check_only then
    r.notes[#r.notes + 1] =
      "the reference is written in Lua, to check with: its time would say "
        .. "nothing about the CPU"
  end
  note_spread(r)
  note_unknown(r)
  if r.cut then
    r.notes[#r.notes + 1] = "interrupted: this is what there is so far"
  end
end

-- What is known of the device in use before anything is measured on it.
function rows.report(device)
  return { device = device.name, device_title = device.title,
    is_gpu = device.is_gpu, rows = {}, notes = {} }
end

-- How much work it is, and what this device can do.
function rows.size_up(p, part)
  part.bytes, part.operations = p:work()
  part.working_set = p:working_set()
  part.peaks, part.overhead = require("lua.measure.peaks").peaks(),
    timing.overhead()
  if part.peaks.busy then
    part.notes[#part.notes + 1] =
      "this machine's peaks were measured while it was busy: "
        .. "the shares of peak are too high"
  end
end

return rows
