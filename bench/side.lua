-- side.lua - several ways to do the same, timed side by side.
--
--   local side = dofile "bench/side.lua"
--   local ratios = side.row("matmul 1024³",
--     { "host", function(n) … return seconds end },
--     { "OpenBLAS", function(n) … return seconds end })
--   side.aim("matmul 1024³", "OpenBLAS", ratios.OpenBLAS, 0.5)
--     at least 0.5 is the aim
--   side.aim_within(title, beside, ratio, 1.9, "plain C", its)
--     the same, if the machine gives that much
--   side.limit("first launch", timing.summary(list), 0.07)   at most 70 ms
--   side.turn = 0.4     seconds at least for a turn, else 5 ms
--   { "OpenBLAS", run, spins = true }
--     its threads wait awake: all wait until they sleep
--   side.write("What it is a table of")   to build/bench.md
--
-- A contender is a name and a function that does the work n times and returns
-- the seconds of one. The contenders take turns, and each round gives a ratio:
-- what disturbs the machine disturbs all of them, so ratios are steady where
-- times are not. Ratios are to the first contender: 2.00× is twice as long.
local system = require "mettle.system"
local launches = require "mettle.commands"
local timing = require "lua.workload.timing"
local units = require "lua.text.units"

local side = { aims = {}, turn = 0.005 }
local ROUNDS, BUDGET = 11, 4
local AFTER_PAUSE = 0.05 -- seconds at least for a turn that finds cold caches

-- How many runs make one sample, after a warm-up; and its seconds instead if it
-- was so long that one has to do.
local function batch_of(run, turn)
  local seconds = run(1)
  if seconds > BUDGET then return 0, seconds end
  if seconds < 0.5 then seconds = math.min(seconds, run(1)) end
  return math.max(1, math.ceil(turn / math.max(seconds, 1e-9)))
end

-- The threads of a library go on asking for work when it has none left,
-- OpenBLAS' for some 20 ms, and would take part in the next one's turn.
local function settle()
  for _ = 1, 50 do
    local before = os.clock()
    system.sleep(0.004)
    if os.clock() - before < 0.0004 then return end
  end
end

local function any_spins(contenders)
  for _, c in ipairs(contenders) do
    if c.spins then return true end
  end
end

-- Launches wait for the optimised code: quick code is not what is measured.
local function turns(contenders)
  local samples, batches, once, spins = {}, {}, {}, any_spins(contenders)
  launches.measuring(true)
  for i, c in ipairs(contenders) do
    samples[i] = {}
    batches[i], once[i] = batch_of(c[2], spins
      and math.max(side.turn, AFTER_PAUSE) or side.turn)
  end
  local round, start = 0, system.now()
  repeat
    round = round + 1
    for i, c in ipairs(contenders) do
      if spins then settle() end
      samples[i][round] = once[i] or c[2](batches[i])
    end
  until round == ROUNDS or (round >= 3 and system.now() - start > BUDGET)
  launches.measuring(false)
  return samples
end

-- Measure contenders; returns the first's time, and the ratios by name.
function side.measure(...)
  local contenders = { ... }
  local samples = turns(contenders)
  local first, ratios = timing.summary(samples[1]), {}
  for i = 2, #contenders do
    local list = {}
    for round, seconds in ipairs(samples[i]) do
      list[round] = seconds / samples[1][round]
    end
    local ratio = timing.summary(list)
    ratio.first = first.median
    ratios[contenders[i][1]] = ratio
  end
  return first, ratios
end

-- Measure and print one row; returns the ratios by name, and the first's time.
function side.row(title, ...)
  local contenders, parts = { ... }, {}
  local first, ratios = side.measure(...)
  for i = 2, #contenders do
    local name = contenders[i][1]
    local ratio = ratios[name]
    parts[#parts + 1] = ("%s %s (%s to %s)"):format(name,
      units.times(ratio.median), units.three(ratio.low),
      units.three(ratio.high))
  end
  print(("%s  %s %s  %s"):format(units.pad(title, 26), contenders[1][1],
    units.right(units.time(first.median), 8),
    table.concat(parts, "  ")))
  io.stdout:flush()
  return ratios, first
end

-- A contender's function: a command of the shell.
function side.shell(command)
  return function(n)
    local start = system.now()
    for _ = 1, n do assert(os.execute(command .. " >/dev/null")) end
    return (system.now() - start) / n
  end
end

function side.heading(text)
  print("\n" .. text)
end

------------------------------------------------------------------------- aims

local function line(...)
  return "| " .. table.concat({ ... }, " | ") .. " |\n"
end

local function add(title, beside, ratio, aim, verdict)
  side.aims[#side.aims + 1] = line(title, units.time(ratio.first), beside,
    units.times(ratio.median),
    ("%s to %s"):format(units.three(ratio.low), units.three(ratio.high)), aim,
    verdict)
end

-- 'ratio' is a summary from side.row; at least 'least' is the aim. 'more' may
-- say what the number alone does not.
function side.aim(title, beside, ratio, least, more)
  local verdict = ratio.median >= least and "met" or "**missed**"
  add(title, beside, ratio, "≥ " .. units.times(least), verdict
    .. (more and ": " .. more or ""))
end

-- The same, where the machine may not have as much to give: 'ceiling' is what
-- 'who' got from it. An aim above that cannot be judged, and nearly all of the
-- ceiling is what can be asked for.
function side.aim_within(title, beside, ratio, least, who, ceiling)
  if ratio.median >= least or ceiling.median >= least then
    return side.aim(title, beside, ratio, least)
  end
  local verdict = ratio.median >= 0.95 * ceiling.median and "not judged"
    or "**missed**"
  add(title, beside, ratio, "≥ " .. units.times(least),
    ("%s: %s gains %s"):format(verdict, who, units.times(ceiling.median)))
end

-- A row without an aim, to judge the others by.
function side.note(title, beside, ratio) add(title, beside, ratio, "", "") end

-- A time, in seconds as a summary, that should be 'most' at most.
function side.limit(title, time, most)
  side.aims[#side.aims + 1] = line(title, units.time(time.median), "", "",
    ("%s to %s"):format(units.time(time.low), units.time(time.high)), "≤ "
    .. units.time(most),
    time.median <= most and "met" or "**missed**")
end

-- Bytes, that should be 'most' at most.
function side.size(title, bytes, most)
  side.aims[#side.aims + 1] = line(title, units.bytes(bytes), "", "", "",
    "≤ " .. units.bytes(most), bytes <= most and "met" or "**missed**")
end

-- Append the aims to build/bench.md, as a table for docs/performance.md.
function side.write(text)
  local file = assert(io.open("build/bench.md", "a"))
  file:write("\n", text, "\n\n",
    line("what", "Mettle", "beside it", "takes", "95 %", "aim", ""), "|---|---|---|---|---|---|---|\n",
    table.concat(side.aims))
  file:close()
  print("\n" .. table.concat(side.aims))
end

return side
