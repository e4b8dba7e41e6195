-- quick.lua - measurements for suites, of which none asserts how fast anything
-- was: each takes a few hundredths of a second, and the peaks of this machine,
-- over which gpu.peaks takes seconds, again and again where it is busy, are
-- made up. They are beyond any machine, so that nothing goes faster.
--
--   dofile "tests/quick.lua"            in this session, as tests/tap.lua does
--   dofile("tests/quick.lua").keep()    puts them into the state folder, for
--                                       programs that a suite starts
--   dofile("tests/quick.lua").measure   what measures them
local peaks = require "lua.measure.peaks"
local timing = require "lua.workload.timing"

timing.quick = 0.06 -- compare counts for a GPU from 0.05 on
timing.standard.warm = 0.005

local measure = peaks.measure
function peaks.measure()
  return { memory = 4e12, cache = 16e12, cache_bytes = 32 << 20,
    operations = 1e15 }, 0
end

local function keep()
  timing.quick = nil -- what is quick is not kept
  gpu.peaks { again = true }
end

return { measure = measure, keep = keep }
