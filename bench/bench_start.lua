-- bench_start.lua - how long a person waits: for the program, for a kernel.
local side = dofile "bench/side.lua"
local system = require "mettle.system"

local program = arg and arg[-1] or "build/mettle"
local shell = side.shell

side.heading("starting, beside the shell's own /bin/true")
side.row("mettle -e ''", { "true", shell "/bin/true" },
  { "mettle", shell("'" .. program .. "' -e ''") })

local fresh_number = dofile "bench/fresh.lua"
local function source(fresh)
  return ([=[
#include <metal_stdlib>
using namespace metal;
kernel void f(device float *x, uint i [[thread_position_in_grid]]) { x[i] = sqrt(x[i]) + %d; }
]=]):format(fresh and fresh_number() or 1)
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
side.row("a small kernel", { "known before", compile(false) },
  { "new", compile(true) })

------------------------------------------------------------------------ limits

-- Kernels of twenty lines as a learner types them: one without barriers, one
-- with two of them in a loop.
local PLAIN = dofile "bench/heat.lua"

local BARRIERS = [=[
#include <metal_stdlib>
using namespace metal;
#define TILE 16
kernel void product(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]],
                    device float *c [[buffer(2)]], constant uint &n [[buffer(3)]],
                    uint2 local [[thread_position_in_threadgroup]],
                    uint2 at [[thread_position_in_grid]]) {
  threadgroup float tile_a[TILE][TILE];
  threadgroup float tile_b[TILE][TILE];
  float sum = %d;
  for (uint first = 0; first < n; first += TILE) {
    tile_a[local.y][local.x] = a[at.y * n + first + local.x];
    tile_b[local.y][local.x] = b[(first + local.y) * n + at.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint t = 0; t < TILE; t++) sum += tile_a[local.y][t] * tile_b[t][local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  c[at.y * n + at.x] = sum;
}
]=]

local timing = require "lua.workload.timing"
local m, w = gpu.buffer(64, 64):fill(1), gpu.buffer(64, 64)

-- 'waits': as at the prompt, where a Clang was started while the person typed.
local function first_launch(text, launch, waits)
  local list = {}
  for i = 1, 9 do
    if waits then
      gpu.ready()
      system.sleep(0.1)
    end
    local source_text = text:format(fresh_number())
    local start = system.now()
    gpu.kernel(source_text)(launch)
    list[i] = system.now() - start
  end
  return timing.summary(list)
end

local plain = { m, w, 64, 64, grid = { 64, 64 }, group = { 16, 16 } }
local barriers = { m, m, w, 64, grid = { 64, 64 }, group = { 16, 16 } }
side.limit("first launch of 20 lines, from source", first_launch(PLAIN, plain), 0.04)
side.limit("the same at the prompt, where a Clang waits", first_launch(PLAIN, plain, true), 0.04)
side.limit("first launch of 20 lines with barriers, from source", first_launch(BARRIERS, barriers), 0.04)
side.limit("the same at the prompt", first_launch(BARRIERS, barriers, true), 0.04)

local empty = gpu.kernel [=[
kernel void nothing(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i == 0xffffffff) x[0] = 1;  // never
}
]=]
local function launches(grid)
  local list, launch = {}, { gpu.buffer("uint", 1), grid = grid, group = 256 }
  for i = 1, 41 do
    local start = system.now()
    for _ = 1, 100 do empty(launch) end
    list[i] = (system.now() - start) / 100
  end
  return timing.summary(list)
end
side.limit("launch of an empty kernel, one threadgroup", launches(256), 10e-6)
side.limit("launch of an empty kernel, 16384 threads", launches(16384), 10e-6)
-- A console with nothing to do: to its prompt and out again, and the memory
-- that it has there. The bundle is what make bundle left last.
local function prompt()
  local list = {}
  local run = ("'%s' -i </dev/null >/dev/null 2>&1"):format(program)
  for i = 1, 21 do
    local start = system.now()
    os.execute(run)
    list[i] = system.now() - start
  end
  return timing.summary(list)
end

-- A line of a console's /proc/PID/status, in bytes, two seconds after it was
-- opened in a terminal and the text 'typed' was typed; nil where there is no
-- /proc, or no script for a terminal.
local TERMINAL = [[id=$(mktemp)
(sleep 1; printf %%s '%s'; sleep 3; echo) | script -qec "echo \$\$ >$id; exec '%s'" /dev/null >/dev/null 2>&1 &
sleep 3; grep '%s' "/proc/$(cat "$id")/status"; wait; rm "$id"]]
local function status(typed, field)
  local pipe = io.popen(TERMINAL:format(typed, program, field)
    .. " 2>/dev/null")
  local kilobytes = pipe:read "a":match "(%d+) kB"
  pipe:close()
  return kilobytes and tonumber(kilobytes) * 1024
end

side.limit("the prompt, from the shell and back", prompt(), 0.01)
local memory = status("", "VmRSS")
if memory then side.size("memory of an idle prompt", memory, 10e6) end
local own = status("x", "RssAnon")
if own then side.size("after the first key, which loads LLVM: its own pages", own, 10e6) end
for _, name in ipairs(system.list "build") do
  local file = name:find "^mettle%-.*%.tar%.%w+$" and io.open("build/" .. name)
  if file then
    side.size("the bundle, " .. name, file:seek "end", 65e6)
    file:close()
  end
end
side.write "Waiting: from the call to its end, by the wall"
