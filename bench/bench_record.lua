-- bench_record.lua - what recording costs, and how quick a recording answers:
-- 1,024 threads of 1,000 lines, ten million events, and the stepper's moves.
--
-- Processor time of this process: LLVM, which compiles the kernel with its
-- probes in another one, is a row of its own.
local side = dofile "bench/side.lua"
local step, view = require "lua.step.step", require "lua.step.view"
local system = require "mettle.system"
local units = require "lua.text.units"

local k = gpu.kernel [=[
kernel void lines(device float *y, constant int &n,
                  uint i [[thread_position_in_grid]]) {
  float s = 0;
  for (int j = 0; j < n; j++)
    s += j;
  y[i] = s;
}]=]

local function say(what, seconds, more)
  print(("  %-44s %10s%s"):format(what, units.time(seconds), more or ""))
end

-- Seconds of the processor, and what f gave.
local function timed(f)
  local start = os.clock()
  local v = f()
  return os.clock() - start, v
end

local function memory()
  local file = io.open "/proc/self/status"
  local most = file and file:read "a":match "VmHWM:%s*(%d+) kB"
  if file then file:close() end
  return most and ("%d MB at most"):format(most // 1024) or ""
end

local function moves(r)
  local s
  say("open the stepper, its first rows", (timed(function()
    s = step.open(r)
    return view.rows(s, 80, 24, true)
  end)))
  say("the next line, with its rows", timed(function()
    for _ = 1, 100 do
      s:line(1)
      view.rows(s, 80, 24, true)
    end
  end) / 100)
  say("to the last line", (timed(function()
    s:ends(1)
    return view.rows(s, 80, 24, true)
  end)))
  say("back, with its rows", timed(function()
    for _ = 1, 100 do
      s:line(-1)
      view.rows(s, 80, 24, true)
    end
  end) / 100)
  say("a thread far away", (timed(function()
    s:thread(1000)
    return view.rows(s, 80, 24, true)
  end)))
end

side.heading "record: processor time"
local start = system.now()
record { k, gpu.buffer(64), 4, grid = 64 }
say("a small launch, with its compile (wall)", system.now() - start)
for _, n in ipairs { 500, 1650 } do
  local r
  local seconds = timed(function()
    r = record { k, gpu.buffer(1024), n, grid = 1024, events = 12000000 }
  end)
  say(("1,024 threads of %s lines"):format(units.count(2 * n)), seconds,
    ("  %s events; %s"):format(units.count(r.events:count()), memory()))
  moves(r)
end
print("  " .. memory())
