-- bench_ispc.lua - ISPC's own examples, ported plainly (ispc.metal), beside
-- ISPC: the same numbers and sizes, one thread each, CPU time, in turns.
--
-- ISPC=compiler ISPC_EXAMPLES=folder name the compiler and the folder
-- examples/cpu of its repository; without them there is nothing to compare
-- with. BENCH_ONLY=word measures those with it in their title.
local side = dofile "bench/side.lua"
local pocl = dofile "bench/pocl.lua"
local units = require "lua.text.units"
local only = os.getenv "BENCH_ONLY" or ""
local examples = dofile "bench/ispc_examples.lua"
local list = examples.list(os.getenv "ISPC_EXAMPLES")

if os.getenv "METTLE_THREADS" ~= "1" then
  local program = arg and arg[-1] or "build/mettle"
  assert(os.execute(("METTLE_THREADS=1 '%s' bench/bench_ispc.lua")
    :format(program)))
  return
end

--------------------------------------------------------------------- a contest

local function give(child, kernel, name, launch)
  child.child:tell("step", "-", name)
  for i, param in ipairs(kernel.params) do
    local value = launch[i]
    if type(value) == "userdata" then
      child.child:tell("data", child:file(value))
    elseif value then
      local real = param.type:find "float"
      child.child:tell("value", real and "float" or "uint",
        (real and "%.9g" or "%d"):format(value))
    end
  end
end

local function mean(b)
  local sum = 0
  for i = 0, #b - 1 do sum = sum + b[i] end
  return sum / #b
end

-- How many of a few thousand elements differ: a ray that passes an edge may
-- take the other side by a rounding.
local function judge(title, by_mean, own, other)
  if by_mean then
    local a, b = mean(own), mean(other)
    if math.abs(a - b) < 0.02 * math.abs(b) then return end
    print(("%s: means of %g, ISPC %g"):format(title, a, b))
    return
  end
  local wrong, tried = 0, 0
  for j = 0, #own - 1, math.max(1, #own // 5000) do
    tried = tried + 1
    local a, b = own[j], other[j]
    if math.abs(a - b) > 1e-3 * (1 + math.abs(b)) then wrong = wrong + 1 end
  end
  if wrong > tried // 100 then
    print(("%s: %d of %d differ"):format(title, wrong, tried))
  end
end

local function row(child, source, entry)
  local title, name, arguments, output = table.unpack(entry)
  local launch, kernel = arguments(), gpu.kernel(source, name)
  give(child, kernel, name, launch)
  kernel(launch)
  child:run(1)
  local file = child:file(launch[output])
  child.child:tell("save", file)
  judge(title, entry.mean, launch[output], gpu.load(file))
  local ratios = side.row(title, { "Mettle", function(n)
    local start = os.clock()
    for _ = 1, n do kernel(launch) end
    return (os.clock() - start) / n
  end }, { "ISPC", function(n) return (select(2, child:run(n))) end })
  side.aim(title, "ISPC", ratios.ISPC, 0.95)
  child:clear()
  return ratios.ISPC.median
end

local child, why = pocl.open("build/bench/ispc", "build/bench")
if not child then
  print("without ISPC (ISPC=, ISPC_EXAMPLES=) nothing to compare with: " .. why)
  return
end
local source = examples.source "bench"
side.heading("ISPC's examples: CPU time of one thread, and how many times as " ..
  "long ISPC takes")
local logs, count = 0, 0
for _, entry in ipairs(list) do
  if entry[1]:find(only, 1, true) then
    logs, count = logs + math.log(row(child, source, entry)), count + 1
  end
  collectgarbage()
end
child:close()
if count > 0 then
  local geometric = math.exp(logs / count)
  print(("geometric mean %s"):format(units.times(geometric)))
  side.write(("ISPC's examples (%s, CPU time of one thread; geometric mean %s)")
    :format(child.name, units.times(geometric)))
end
