-- bench_measuring.lua - what measuring costs, and whether a stopwatch agrees.
--
-- Two figures. The share of the time of a measurement that is not spent in what
-- is measured; it should stay under 2 %. And the times that launches report
-- beside a stopwatch outside the program: a child does N launches, and the
-- shell asks `date` when it says that it starts and when it says that it is
-- done.
local kernels = require "lua.workload.kernels"
local side = dofile "bench/side.lua"
local system = require "mettle.system"
local timing = require "lua.workload.timing"
local units = require "lua.text.units"

------------------------------------------------------------------ the cost

-- The median gap between two runs, over the median run. A gap that another
-- program filled is not the measurement's, and medians leave it out.
local function cost(run)
  local gaps, inside, ended = {}, {}, nil
  -- then no warm-up is needed
  local once = timing.measure(run, { budget = 0.1 }).median
  timing.measure(function(n)
    local began = system.now()
    if ended then gaps[#gaps + 1] = began - ended end
    local time, wall = run(n)
    ended = system.now()
    inside[#inside + 1] = ended - began
    return time, wall
  end, { budget = 1, spread = 0, once = once })
  return timing.summary(gaps).median, timing.summary(inside).median
end

side.heading "what measuring costs: the pause between two runs, and its share (aim: under 2 %)"
for _, entry in ipairs { { "saxpy", { n = 100000 } },
  { "saxpy", { n = 16000000 } }, { "mandelbrot", {} } } do
  local p = kernels.workload(entry[1], entry[2])
  local gap, inside = cost(function(n) return p:run(n) end)
  print(("%s  a sample of %s, a pause of %s: %s"):format(units.pad(p.title, 44), units.time(inside),
    units.time(gap), units.percent(gap / inside)))
end

------------------------------------------------------------- a stopwatch

local program = arg and arg[-1] or "build/mettle"

local SCRIPT = [=[
local p = require("lua.workload.kernels").workload("%s", %s)
p:verify()
p:run(1)
print "start"
io.stdout:flush()
local sum, n = 0, %d
for _ = 1, n do sum = sum + select(2, p:run(1)) end
print("done " .. sum)
]=]

-- Seconds of N launches, by the clock of this process and by what the launches
-- of the other say.
local function watch(name, sizes, launches)
  local file = os.tmpname()
  local f = assert(io.open(file, "w"))
  f:write(SCRIPT:format(name, sizes, launches))
  f:close()
  local pipe = assert(io.popen(("'%s' '%s'"):format(program, file)))
  assert(pipe:read "l" == "start")
  local from = system.now()
  local inside = pipe:read("l"):match "done (%S+)"
  local outside = system.now() - from
  pipe:close()
  os.remove(file)
  return outside, tonumber(inside)
end

side.heading "times that launches report beside a stopwatch outside of the program (aim: within 5 %)"
for _, entry in ipairs { { "matmul_naive", "{m = 512, n = 512, k = 512}" }, { "mandelbrot", "{rows = 2048, columns = 2048}" },
  { "nbody", "{n = 8192}" } } do
  local p = kernels.workload(entry[1], load("return " .. entry[2])())
  p:verify()
  local t = timing.measure(function(n) return p:run(n) end)
  local n, ratios, each = math.max(5, math.ceil(1 / t.wall)), {}, 0
  for round = 1, 5 do
    local outside, inside = watch(entry[1], entry[2], n)
    ratios[round], each = outside / inside, outside / n
  end
  print(("%s  compare's median %s, a launch by the stopwatch %s; stopwatch over reported: %+.1f %%"):format(
    units.pad(p.title, 44), units.time(t.wall), units.time(each),
    100 * (timing.summary(ratios).median - 1)))
end
