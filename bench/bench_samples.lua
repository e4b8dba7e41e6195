-- bench_samples.lua - kernels of many kinds (samples.metal) beside PoCL, to
-- find those that the engine is slow at. One thread and CPU time for both, so
-- that it says something on a busy machine too. BENCH_ONLY=word: those with it
-- in their name; BENCH_FILE=path: samples of your own, written as samples.metal
-- has them.
local side = dofile "bench/side.lua"
local pocl = dofile "bench/pocl.lua"
local only = os.getenv "BENCH_ONLY" or ""

if os.getenv "METTLE_THREADS" ~= "1" then
  local program = arg and arg[-1] or "build/mettle"
  assert(os.execute(("METTLE_THREADS=1 POCL_MAX_PTHREAD_COUNT=1 '%s' bench/bench_samples.lua"):format(program)))
  return
end

local MSL = [=[
#include <metal_stdlib>
using namespace metal;
#define BARRIER threadgroup_barrier(mem_flags::mem_threadgroup);
#define ATOMIC atomic_uint
#define ATOMIC_ADD(p, v) atomic_fetch_add_explicit(p, v, memory_order_relaxed)
#define ATOMIC_PUT(p, v) atomic_store_explicit(p, v, memory_order_relaxed)
#define ATOMIC_GET(p) atomic_load_explicit(p, memory_order_relaxed)
]=]
local OPENCL = [=[
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE);
#define ATOMIC uint
#define ATOMIC_ADD(p, v) atomic_add(p, v)
#define ATOMIC_PUT(p, v) (*(p) = (v))
#define ATOMIC_GET(p) (*(p))
]=]

----------------------------------------------------------------- to OpenCL

local POSITIONS = { thread_position_in_grid = "get_global_id",
  thread_position_in_threadgroup = "get_local_id",
  threadgroup_position_in_grid = "get_group_id" }
local VALUES = { uint = "{f}(0)", uint2 = "(uint2)({f}(0), {f}(1))", uint3 = "(uint3)({f}(0), {f}(1), {f}(2))" }
local WORDS = { device = "__global", threadgroup = "__local",
  constant = "__constant" }

local function head_of(name, params)
  local kept, made = {}, {}
  for param in params:sub(2, -2):gmatch "[^,]+" do
    local kind, id, position = param:match "(%w+) (%w+) %[%[([%w_]+)%]%]"
    if position then
      local value = VALUES[kind]:gsub("{f}", POSITIONS[position])
      made[#made + 1] = ("%s %s = %s;"):format(kind, id, value)
    else
      kept[#kept + 1] = param
    end
  end
  return ("__kernel void %s(%s) {\n%s"):format(name, table.concat(kept, ","), table.concat(made, " "))
end

local function to_opencl(text)
  return OPENCL .. text:gsub("kernel void ([%w_]+)(%b())%s*{", head_of):gsub("%f[%w_][%w_]+%f[^%w_]", WORDS)
end

------------------------------------------------------------------- samples

local function numbers(text)
  local list = {}
  for n in text:gmatch "%d+" do list[#list + 1] = math.tointeger(n) end
  return list
end

local FILL = {
  f = function(n, seed) return gpu.buffer("float", n):random(seed, 0, 1) end,
  v = function(n, seed) return gpu.buffer("float", n):random(seed, 0, 1) end,
  u = function(n, seed)
    return gpu.buffer("uint", n):random(seed, 0, 1 << 31)
  end,
  b = function(n, seed) return gpu.buffer("uchar", n):random(seed, 0, 256) end,
  c = function(n, seed)
    return gpu.buffer("char", n):random(seed, -128, 128)
  end,
  z = function(n) return gpu.buffer("uint", n):fill(0) end,
  n = function(n, seed)
    return gpu.buffer("uint", n):random(seed, 0, 262143)
  end,
  s = function(n)
    local list = gpu.buffer("uint", n)
    for i = 0, n - 1 do list[i] = 2000 * i end
    return list
  end,
  r = function(n)
    local rows = gpu.buffer("uint", n)
    for i = 0, n - 1 do rows[i] = 8 * i - i % 5 end
    rows[0] = 0
    return rows
  end,
}

local function read(path)
  local file = assert(io.open(path))
  local text, list = file:read "a", {}
  file:close()
  for at, head, from in text:gmatch "()//@ ([^\n]*)\n()" do
    if list[#list] then
      list[#list].text = text:sub(list[#list].from, at - 1)
    end
    local name, grid, group, buffers = head:match "^(%S+) (%S+) (%S+) | (.*)$"
    list[#list + 1] = { name = name, grid = numbers(grid),
      group = numbers(group), buffers = buffers, from = from }
  end
  list[#list].text = text:sub(list[#list].from)
  return list
end

local function launch_of(sample)
  local launch, own = { grid = sample.grid, group = sample.group }, {}
  for kind, count in sample.buffers:gmatch "(%a):(%d+)" do
    local b = FILL[kind](math.tointeger(count), #own + 1)
    own[#own + 1] = b
    launch[#launch + 1] = kind == "v" and b:as "float4" or b
  end
  return launch, own
end

-- Hand the sample to PoCL, with its buffers as they are now.
local function give(child, sample, own)
  local file = ("%s/%s.cl"):format(child.folder, sample.name)
  local out = assert(io.open(file, "w"))
  out:write(to_opencl(sample.text))
  out:close()
  child.child:tell("clear")
  child.child:tell("step", file, sample.name, pocl.fast, "")
  for i, b in ipairs(own) do
    local name = ("%s/sample.%d.npy"):format(child.folder, i)
    b:save(name)
    child.child:tell("data", name)
  end
  local g, l = sample.grid, sample.group
  child.child:tell("range", g[1], g[2] or 1, g[3] or 1, l[1], l[2] or 1, l[3]
    or 1)
end

-- The largest difference between what both left, of a few thousand elements.
local function difference(child, own)
  local worst = 0
  for i, b in ipairs(own) do
    local name = ("%s/sample.%d.npy"):format(child.folder, i)
    child.child:tell("save", name)
    local other = gpu.load(name)
    for j = 0, #b - 1, math.max(1, #b // 2000) do
      worst = math.max(worst, math.abs(b[j] - other[j]) / (
        1 + math.abs(other[j])))
    end
    os.remove(name)
  end
  return worst
end

-- What stands in a compacted array depends on who came first.
local any_order = { compact = true }

local function row(child, sample)
  local launch, own = launch_of(sample)
  local kernel = gpu.kernel(MSL .. sample.text)
  give(child, sample, own)
  kernel(launch)
  child:run(1)
  local worst = difference(child, own)
  if worst > 1e-3 and not any_order[sample.name] then
    print(("%s: differs by %g"):format(sample.name, worst))
  end
  side.row(sample.name, { "Mettle", function(n)
    local start = os.clock()
    for _ = 1, n do kernel(launch) end
    return (os.clock() - start) / n
  end }, { "PoCL", function(n) return (select(2, child:run(n))) end })
end

local child, why = pocl.open("build/bench/opencl", "build/bench")
if not child then print("without PoCL nothing to compare with: " .. why) return end
side.heading "samples: CPU time of one thread, and how many times as long PoCL takes"
for _, sample in ipairs(read(os.getenv "BENCH_FILE"
  or "bench/samples.metal")) do
  if sample.name:find(only, 1, true) then row(child, sample) end
  collectgarbage()
end
child:close()
