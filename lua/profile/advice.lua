-- advice.lua - one paragraph from a profile's numbers, by rules.
--
--   advice.sentences(p)   { { weight, sentence, word of the glossary }, … },
--                         the heaviest first; the weight is a share of the cost
--   advice.nothing(p)     one sentence for where no rule applies: what the
--                         numbers are
--
-- A rule looks at the totals; if they are bad it finds the line that is most to
-- blame, and says what people do about it.
local units = require "lua.text.units"

local advice = {}

-- The line with the largest value of 'f', and that value.
local function worst(p, f)
  local line, most = nil, 0
  for n, c in pairs(p.lines) do
    local v = f(c)
    if v > most or (v == most and line and n < line) then line, most = n, v end
  end
  return line, most
end

local function at(line) return line and ("Line %d"):format(line) or "It" end
local function part(v, whole) return whole > 0 and v / whole or 0 end

function advice.sum(t)
  local total = 0
  for _, v in pairs(t) do total = total + v end
  return total
end

local rules = {}

function rules.coalescing(p)
  local t = p.total
  if t.lines <= 2 * t.lines_ideal or t.lines < 8 then return end
  local line = worst(p, function(c) return c.lines - c.lines_ideal end)
  local c = p.lines[line] or t
  return part(4 * (t.lines - t.lines_ideal), t.cost),
    ("%s moves %s× the memory it needs: the threads "
      .. "of a SIMD-group should touch neighbouring elements at the same time, "
      .. "x[i] rather than x[i * stride]; if the data does not allow it, "
      .. "go through threadgroup memory."):format(
      at(line), units.three(c.lines / math.max(c.lines_ideal, 1))), "coalescing"
end

function rules.banks(p)
  local t = p.total
  if t.banks <= 1.3 * t.banks_ideal then return end
  local line = worst(p, function(c) return c.banks - c.banks_ideal end)
  local c = p.lines[line] or t
  return part(t.banks - t.banks_ideal, t.cost),
    ("%s meets bank conflicts: %s passes where one would do. Pad the rows of "
      .. "the array by one element, as in tile[32][33]."):format(
      at(line), units.three(c.banks / math.max(c.banks_ideal, 1))),
        "bank conflict"
end

-- Lanes that never had a thread are not divergence.
function rules.ragged(p)
  local lanes = 32 * p.simdgroups
  local filled = part(p.threads, lanes)
  if filled > 0.85 or lanes == 0 then return end
  return 1 - filled,
    ("Only %s of the lanes have a thread: make the threadgroup a multiple of "
      .. "32, and the grid large beside it."):format(
    units.percent(filled)), "SIMD-group"
end

function rules.divergence(p)
  local filled = math.max(part(p.threads, 32 * p.simdgroups), 1e-9)
  local busy = p.active / filled
  if busy > 0.75 then return end
  local line = worst(p, function(c) return c.divergent end)
  if not line then return end
  return 1 - busy,
    ("Only %s of the threads are busy on average: %s sends threads "
      .. "of one SIMD-group different ways, and the group pays for both. "
      .. "Let whole SIMD-groups take the same way, or replace the branch by a "
      .. "select or min/max."):format(
    units.percent(busy), at(line):lower()), "divergence"
end

function rules.atomics(p)
  local t = p.total
  if t.atomics_worst < 64 or t.atomics_worst < 0.1 * t.atomics then return end
  local line = worst(p, function(c) return c.atomics_worst end)
  return math.max(part(t.atomics_worst, t.cost), 0.2),
    ("%s makes %s atomics wait for one address, one after the other: add "
      .. "up inside the SIMD-group (simd_sum) or in threadgroup memory first, "
      .. "and let one thread do the atomic."):format(
      at(line), units.count(t.atomics_worst)), "contention"
end

function rules.reuse(p)
  if p.unique_bytes == 0 or p.bytes < 4 * p.unique_bytes then return end
  local line = worst(p, function(c) return c.device_read_bytes end)
  return part(2 * p.total.lines, p.total.cost),
    ("Each byte is fetched %s times on average, most in %s: "
      .. "keep what threads share in threadgroup memory (tiles), "
      .. "or more results per thread in registers."):format(
      units.three(p.bytes / p.unique_bytes), at(line):lower()), "tile"
end

function rules.private(p)
  local t = p.total
  local accesses = t.private_reads + t.private_writes
  local others = t.device_reads + t.device_writes + t.group_reads
    + t.group_writes
  if accesses < 0.1 * (others + 1) or accesses < p.threads then return end
  local line =
    worst(p, function(c) return c.private_reads + c.private_writes end)
  return part(accesses / 32, t.cost),
    ("%s uses an array of the thread that cannot be registers, "
      .. "because its index is computed: unroll the loop, "
      .. "or make the array smaller."):format(
    at(line)), "register"
end

function rules.special(p)
  local t = p.total
  if 5 * t.issued.special < 0.3 * t.cost then return end
  local line = worst(p, function(c) return c.issued.special end)
  return part(5 * t.issued.special, t.cost),
    ("%s is slow arithmetic (division, roots, sines): multiply by a reciprocal "
      .. "where you can, and use fast or half-precision functions where that "
      .. "is exact enough."):format(
    at(line)), "fast math"
end

function rules.barriers(p)
  local group = p.group[1] * p.group[2] * p.group[3]
  if p.barriers < 1 or group > 32 then return end
  return 0.05,
    "The threadgroup is one SIMD-group: simdgroup_barrier is enough, "
      .. "and a simd_sum or shuffle may need none.", "simdgroup_barrier"
end

-- With gpu = …: too few threads to hide how long memory takes.
function rules.occupancy(p)
  local o = p.occupancy
  if not o or o.share >= 0.3 or o.limit == "threads" then return end
  local remedy = o.limit == "registers"
    and "keep fewer values at once, or use half where it is exact enough"
    or o.limit == "threadgroup memory"
      and "use smaller tiles, or types of fewer bytes"
    or "make the threadgroup larger"
  return 0.3 - o.share / 2,
    ("Only %s threads fit on a core of %s, because of its %s: "
      .. "while they wait for memory there is little else to run; %s."):format(
      units.count(o.threads), o.gpu, o.limit, remedy), "occupancy"
end

-- A few threads that work for the others, while those have left or wait.
function rules.balance(p)
  local mean = advice.sum(p.total.lanes) / math.max(p.threads, 1)
  local times = p.busiest.instructions / math.max(mean, 1)
  if times < 8 or p.busiest.instructions < 200 then return end
  return math.min(0.5, times / 64),
    ("One thread runs %s instructions, %s times the mean: share its work among "
      .. "the threads, each with a part of the data."):format(
    units.count(p.busiest.instructions), units.three(times)), "thread"
end

-- No rule applies: said from the numbers, and good only where they are.
function advice.nothing(p)
  local t, good, fair = p.total, {}, {}
  if t.lines > 0 then
    if p.coalescing >= 0.95 then good[#good + 1] = "accesses are coalesced"
    else fair[#fair + 1] = ("%s of the memory lines moved are needed"):format(
      units.percent(p.coalescing)) end
  end
  if p.active >= 0.9 then good[#good + 1] = "lanes are busy"
  else fair[#fair + 1] = ("%s of the lanes are active"):format(
    units.percent(p.active)) end
  if t.banks > 0 then
    if t.banks == t.banks_ideal then good[#good + 1] = "no bank conflicts"
    else fair[#fair + 1] = ("the banks need %s× the passes"):format(
      units.three(p.conflicts)) end
  end
  local words = "Nothing stands out"
  if #good > 0 then words = words .. ": " .. table.concat(good, ", ") end
  if #fair > 0 then
    words = words .. (#good > 0 and "; " or ": ") .. table.concat(fair, ", ")
  end
  return words .. "."
end

function advice.sentences(p)
  local list = {}
  for _, rule in pairs(rules) do
    local weight, sentence, word = rule(p)
    if weight then list[#list + 1] = { weight, sentence, word } end
  end
  table.sort(list, function(a, b)
    if a[1] ~= b[1] then return a[1] > b[1] end
    return a[2] < b[2]
  end)
  return list
end

return advice
