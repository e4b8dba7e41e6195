-- bench_builds.lua - another build of Mettle beside this one: the kernels of
-- the library, one thread each, CPU time, in turns.
--
-- BENCH_OTHER=folder names the root of a source tree that was built: of the
-- commit before a change, say. BENCH_ONLY=word: kernels with it in their name.
local side = dofile "bench/side.lua"
local child = dofile "bench/child.lua"
local kernels = require "lua.workload.kernels"
local units = require "lua.text.units"
local only, other = os.getenv "BENCH_ONLY" or "", os.getenv "BENCH_OTHER"
if not other then
  print "\nno other build: BENCH_OTHER=folder names one"
  return
end

local here = io.popen "pwd":read "l"
local function open(root)
  return assert(child.open(("cd '%s' && METTLE_THREADS=1 build/mettle " ..
    "'%s/bench/worker.lua'"):format(root, here), here .. "/build/bench"))
end

-- 'seconds' of CPU time, the second number of the answer.
local function runs(c)
  return function(n) return tonumber((c:tell("run", n):match " (%S+)$")) end
end

local this, that = open(here), open(other)
side.heading("the build in " .. other ..
  " beside this one: how many times as long it takes")
local logs, count = 0, 0
for _, name in ipairs(kernels.names()) do
  if name:find(only, 1, true) then
    this:tell("load", name)
    that:tell("load", name)
    local ratio = side.row(name, { "this", runs(this) },
      { "other", runs(that) }).other
    side.aim(name, "other", ratio, 0.9)
    logs, count = logs + math.log(ratio.median), count + 1
  end
end
this:close()
that:close()
local mean = units.times(math.exp(logs / math.max(count, 1)))
print(("geometric mean %s of %d"):format(mean, count))
side.write(("Another build beside this one (CPU time of one thread, geometric " ..
  "mean %s)"):format(mean))
