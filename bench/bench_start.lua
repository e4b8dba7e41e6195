-- bench_start.lua - how long a person waits: for the program, for a kernel.
local side = dofile "bench/side.lua"
local system = require "mettle.system"

local program = arg and arg[-1] or "build/mettle"
local function shell(command)
  return function(n)
    local start = system.now()
    for _ = 1, n do assert(os.execute(command .. " >/dev/null")) end
    return (system.now() - start) / n
  end
end

side.heading("starting, beside the shell's own /bin/true")
side.row("mettle -e ''", { "true", shell "/bin/true" }, { "mettle", shell("'" .. program .. "' -e ''") })

-- Sources that differ, so that no cache knows them.
local number = os.time() % 100000 * 1000
local function source(fresh)
  if fresh then number = number + 1 end
  return ([=[
#include <metal_stdlib>
using namespace metal;
kernel void f(device float *x, uint i [[thread_position_in_grid]]) { x[i] = sqrt(x[i]) + %d; }
]=]):format(fresh and number or 1)
end

local x = gpu.buffer(32)
local function compile(fresh)
  return function(n)
    local start = system.now()
    for _ = 1, n do gpu.kernel(source(fresh)) { x, grid = 32 } end
    return (system.now() - start) / n
  end
end

side.heading "from source to the first answer"
side.row("a small kernel", { "known before", compile(false) }, { "new", compile(true) })
