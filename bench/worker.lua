-- worker.lua - a Mettle that runs kernels of the library as it is told, for
-- bench_scaling.lua and bench_builds.lua: "load NAME", then "run N" answers
-- "ok" and the seconds of one run, by the wall and of CPU time.
local system = require "mettle.system"
-- Another build may be one from before lua/ had rooms.
local there, kernels = pcall(require, "lua.workload.kernels")
if not there then kernels = require "lua.kernels" end
local p

-- Launches wait for optimised code. Builds from before the tiers have no other.
local waits = system.measuring or require("mettle.commands").measuring
if waits then waits(true) end

local function say(...)
  print(...)
  io.stdout:flush()
end

say "ok"
for line in io.lines() do
  local word, rest = line:match "^(%a+) ?(.*)$"
  if word == "load" then
    p = (kernels.workload or kernels.problem)(rest)
    local check = p:verify()
    say(check.ok and "ok" or "error " .. check.text)
  elseif word == "run" then
    local start, n = os.clock(), tonumber(rest)
    local _, wall = p:run(n)
    say(("ok %.9g %.9g"):format(wall, (os.clock() - start) / n))
  elseif word == "quit" then
    break
  else
    say "error what is this line?"
  end
end
