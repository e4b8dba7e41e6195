-- bench_scaling.lua - what more cores bring: kernels bound by arithmetic with
-- one thread and with all, and the same for plain C, which says what the
-- machine can give (two hyper-threads of one core give far less than twice).
local side = dofile "bench/side.lua"
local child = dofile "bench/child.lua"
local kernels = require "lua.workload.kernels"
local system = require "mettle.system"

local cores = system.cores
if cores < 2 then print "\none core: nothing to scale over" return end

local program = arg and arg[-1] or "build/mettle"
local function open(threads)
  return assert(child.open(("METTLE_THREADS=%d '%s' bench/worker.lua"):format(threads, program), "build/bench"))
end
local one, all = open(1), open(cores)
local function runs(c)
  return function(n) return tonumber((c:tell("run", n):match "^%S+")) end
end

side.heading(("%d threads beside one: how many times as long one takes"):format(cores))
for _, name in ipairs { "mandelbrot", "nbody", "blackscholes",
  "matmul_tiled32" } do
  one:tell("load", name)
  all:tell("load", name)
  local p = kernels.workload(name)
  local plain = side.row(name .. " in plain C", { "all", function(n)
    return p:cpu_run("all cores", n)
  end },
    { "one core", function(n) return p:cpu_run("one core", n) end })
  local ratios = side.row(name, { "all", runs(all) },
    { "one thread", runs(one) })
  side.aim_within(name .. ", all threads", "one thread", ratios["one thread"],
    0.95 * cores,
    "plain C", plain["one core"])
  side.note(name .. " in plain C, all cores", "one core", plain["one core"])
  p = nil
  collectgarbage()
end
one:close()
all:close()
side.write(("Scaling: how many times as long one thread takes (%d cores)"):format(cores))
