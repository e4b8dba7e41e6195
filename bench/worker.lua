-- worker.lua - a Mettle that runs kernels of the library as it is told, for
-- bench_scaling.lua and bench_builds.lua: "load NAME", or "example TITLE" for
-- one of ISPC's examples (ISPC_EXAMPLES), then "run N" answers "ok" and the
-- seconds of one run, by the wall and of CPU time.
local system = require "mettle.system"
-- Another build may be one from before lua/ had rooms.
local there, kernels = pcall(require, "lua.workload.kernels")
if not there then kernels = require "lua.kernels" end
local bench = arg[0]:match "^(.*)/" or "."
local p

-- One of ISPC's examples, as kernels.workload gives one of the library's.
local function example(title)
  local examples = dofile(bench .. "/ispc_examples.lua")
  for _, entry in ipairs(examples.list(os.getenv "ISPC_EXAMPLES")) do
    if entry[1] == title then
      local kernel = gpu.kernel(examples.source(bench), entry[2])
      local launch = entry[3]()
      kernel(launch)
      return { run = function(_, n)
        local start = system.now()
        for _ = 1, n do kernel(launch) end
        return nil, (system.now() - start) / n
      end }
    end
  end
  error("no example " .. title)
end

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
  elseif word == "example" then
    p = example(rest)
    say "ok"
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
