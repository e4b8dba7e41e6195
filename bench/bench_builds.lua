-- bench_builds.lua - another build of Mettle beside this one: the kernels of
-- the library, one thread each, CPU time, in turns.
--
-- BENCH_OTHER=folder names the root of a source tree that was built: of the
-- commit before a change, say. ISPC_EXAMPLES=folder (examples/cpu of ISPC's
-- repository) adds ISPC's examples; BENCH_ONLY=word: those with it in their
-- name. METTLE_CPU=haswell, or another, is both builds' target.
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
local function compare(word, name)
  if not name:find(only, 1, true) then return end
  this:tell(word, name)
  that:tell(word, name)
  local ratio = side.row(name, { "this", runs(this) },
    { "other", runs(that) }).other
  side.aim(name, "other", ratio, 0.9)
  logs, count = logs + math.log(ratio.median), count + 1
end
for _, name in ipairs(kernels.names()) do compare("load", name) end
if os.getenv "ISPC_EXAMPLES" then
  local examples = dofile "bench/ispc_examples.lua"
  for _, entry in ipairs(examples.list()) do compare("example", entry[1]) end
end
this:close()
that:close()
local mean = units.times(math.exp(logs / math.max(count, 1)))
print(("geometric mean %s of %d"):format(mean, count))
side.write(("Another build beside this one (CPU time of one thread, geometric " ..
  "mean %s)"):format(mean))
