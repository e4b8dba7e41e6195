-- gpu_cost.lua - what a GPU would pay for a workload, beside what the host
-- needed.
--
--   gpu_cost.of(p, seconds)      counters of all launches of a workload
--                                (lua/workload/workload.lua), or nil
--   gpu_cost.remark(c)           a sentence about what it wastes, or nil
--   gpu_cost.order(mine, other)  a sentence if the host's times and the counted
--                                costs of two ways to do the same put them in
--                                another order, and how many times the cost of
--                                the faster one is that of the other; or nil
--
-- A CPU's caches make one line of what a GPU fetches nine times, and its cores
-- do not queue at a counter; so a time on the host can teach the wrong order.
-- The profiler's counters (lua/profile/profile.lua) are the same on every
-- machine. A kernel of the library is counted at smaller sizes where its own
-- would take long; a person's launch as it is, for so long and no longer.
local contest = require "lua.workload.contest"
local kernels = require "lua.workload.kernels"
local profile = require "lua.profile.profile"
local units = require "lua.text.units"

local gpu_cost = {}

local ELEMENTS = 1 << 20 -- the product of the sizes that is counted at most
local SMALLEST = 64      -- sizes below are not made smaller

-- The sizes, halved until they are small enough.
local function shrunk(sizes, macros)
  local s, product, smaller = {}, 1, false
  for name, v in pairs(sizes) do
    s[name] = v
    if not macros[name] then product = product * math.max(v, 1) end
  end
  while product > ELEMENTS do
    local largest
    for name, v in pairs(s) do
      local more = largest
        and (v > s[largest] or v == s[largest] and name < largest)
      if not macros[name] and v > SMALLEST and (not largest or more) then
        largest = name
      end
    end
    if not largest then break end
    s[largest], product, smaller = s[largest] // 2, product / 2, true
  end
  return s, smaller
end

-- The workload to count in place of p: itself, or one that is smaller.
local function small(p)
  if not p.sizes then return p end
  local macros = kernels.data(p.name).macros or {}
  local s, smaller = shrunk(p.sizes, macros)
  if not smaller then return p end
  local own = {}
  for name, v in pairs(s) do if not macros[name] then own[name] = v end end
  return kernels.workload(p.name, s), kernels.sizes_text(own)
end

local fields = { "cost", "instructions", "lines", "lines_ideal", "banks",
  "atomics", "atomics_worst" }

-- 'seconds' for each launch of a person's own; what is stopped then still has
-- its proportions, but no total.
function gpu_cost.of(p, seconds)
  local what, sizes = small(p)
  local c = { name = p.name, sizes = sizes, bytes = 0, unique_bytes = 0 }
  for _, name in ipairs(fields) do c[name] = 0 end
  what.reset()
  for _, step in ipairs(what.steps) do
    local launch = {}
    for key, v in pairs(step.launch) do launch[key] = v end
    launch.limit = not p.sizes and seconds or nil
    local one = profile.counts(step.kernel, launch)
    for _, name in ipairs(fields) do c[name] = c[name] + one.total[name] end
    c.bytes, c.unique_bytes = c.bytes + one.bytes,
      c.unique_bytes + one.unique_bytes
    c.stopped, c.textures = c.stopped or one.stopped, c.textures or one.textures
    -- the next one needs its answer
    if #what.steps > 1 then step.kernel(step.launch) end
  end
  return c
end

local function at(c)
  return c.sizes and (" (counted at %s)"):format(c.sizes) or ""
end

function gpu_cost.remark(c)
  local parts = {}
  if c.lines > 2 * c.lines_ideal and c.lines >= 64 then
    parts[#parts + 1] = ("moves %s× the memory that it needs"):format(
      units.three(c.lines / math.max(c.lines_ideal, 1)))
  end
  if c.atomics_worst >= 64 and c.atomics_worst >= 0.1 * c.atomics then
    parts[#parts + 1] =
      ("makes %s atomics wait for one address, one after the other"):format(
        units.count(c.atomics_worst))
  end
  if #parts == 0 and c.unique_bytes > 0 and c.bytes >= 8 * c.unique_bytes
    and not c.stopped then
    parts[#parts + 1] = ("fetches each byte %s times"):format(
      units.three(c.bytes / c.unique_bytes))
  end
  if #parts == 0 then return nil end
  return (
    "on a GPU this %s%s: profile shows where, "
      .. "and the time here does not"):format(table.concat(parts, " and "),
      at(c))
end

-- Why one costs more than the other: the part of the cost that differs most.
local function reason(dear, cheap)
  local parts = {
    { 4 * (dear.lines - cheap.lines), "moves %s× the lines of memory",
      dear.lines, cheap.lines },
    { dear.atomics_worst - cheap.atomics_worst,
      "has atomics that wait for each other %s× as often", dear.atomics_worst,
        cheap.atomics_worst },
    { dear.banks - cheap.banks, "needs %s× the passes over the banks",
      dear.banks, cheap.banks },
    { dear.instructions - cheap.instructions, "runs %s× the instructions",
      dear.instructions, cheap.instructions },
  }
  table.sort(parts, function(a, b) return a[1] > b[1] end)
  local most = parts[1]
  return most[2]:format(units.three(most[3] / math.max(most[4], 1)))
end

-- Both are { name, median, time, counted }; 'time' has the interval, since what
-- cannot be told has no order.
function gpu_cost.order(mine, other)
  local a, b = mine.counted, other.counted
  if not a or not b or a.stopped or b.stopped or a.textures or b.textures
    or a.sizes ~= b.sizes then
    return nil
  end
  local faster, slower = mine, other
  if other.median < mine.median then faster, slower = other, mine end
  if not (faster.time and slower.time)
    or contest.of(faster.time, slower.time).kind ~= "faster"
    or slower.median < 1.1 * faster.median
    or faster.counted.cost < 1.25 * slower.counted.cost then
    return nil
  end
  return (
    "%s is faster here (%s, %s takes %s), but a GPU pays %s× as much "
      .. "for it: it %s%s"):format(faster.name,
    units.time(faster.median), slower.name, units.time(slower.median),
    units.three(faster.counted.cost / slower.counted.cost),
      reason(faster.counted, slower.counted), at(a)),
    faster.counted.cost / slower.counted.cost
end

return gpu_cost
