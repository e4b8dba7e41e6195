-- side.lua - several ways to do the same, timed side by side.
--
--   local side = dofile "bench/side.lua"
--   side.row("matmul 1024³", { "host", function(n) … return seconds end },
--            { "OpenBLAS", function(n) … return seconds end })
--   side.done()
--
-- A contender is a name and a function that does the work n times and returns
-- the seconds of one. The contenders take turns, and each round gives a ratio:
-- what disturbs the machine disturbs all of them, so ratios are steady where
-- times are not. Ratios are to the first contender: 2.00× is twice as long.
local system = require "mettle.system"
local timing = require "lua.timing"
local units = require "lua.units"

local side = { rows = {} }
local ROUNDS, SAMPLE, BUDGET = 11, 0.005, 4 -- SAMPLE seconds at least for a turn

-- How many runs make one sample, after a warm-up.
local function batch_of(run)
  local seconds = run(1)
  seconds = math.min(seconds, run(1))
  return math.max(1, math.ceil(SAMPLE / math.max(seconds, 1e-9)))
end

local function turns(contenders)
  local samples, batches, start = {}, {}, system.now()
  for i, c in ipairs(contenders) do
    samples[i], batches[i] = {}, batch_of(c[2])
  end
  local round = 0
  repeat
    round = round + 1
    for i, c in ipairs(contenders) do samples[i][round] = c[2](batches[i]) end
  until round == ROUNDS or (round >= 3 and system.now() - start > BUDGET)
  return samples
end

-- Measure and print one row; returns the ratios by name.
function side.row(title, ...)
  local contenders = { ... }
  local samples = turns(contenders)
  local first = timing.summary(samples[1])
  local parts, ratios = {}, {}
  for i = 2, #contenders do
    local list = {}
    for round, seconds in ipairs(samples[i]) do list[round] = seconds / samples[1][round] end
    local ratio = timing.summary(list)
    ratios[contenders[i][1]] = ratio
    parts[#parts + 1] = ("%s %s (%s to %s)"):format(contenders[i][1], units.times(ratio.median),
      units.three(ratio.low), units.three(ratio.high))
  end
  print(("%s  %s %s  %s"):format(units.pad(title, 26), contenders[1][1], units.right(units.time(first.median), 8),
    table.concat(parts, "  ")))
  io.stdout:flush()
  side.rows[#side.rows + 1] = { title = title, time = first, ratios = ratios }
  return ratios
end

function side.heading(text)
  print("\n" .. text)
end

return side
