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
local examples = os.getenv "ISPC_EXAMPLES"

if os.getenv "METTLE_THREADS" ~= "1" then
  local program = arg and arg[-1] or "build/mettle"
  assert(os.execute(("METTLE_THREADS=1 '%s' bench/bench_ispc.lua")
    :format(program)))
  return
end

------------------------------------------------------- the examples' own data

local function contents(name)
  local file = assert(io.open(examples .. "/" .. name, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

local function numbers(text)
  local list = {}
  for word in text:gmatch "%S+" do list[#list + 1] = tonumber(word) end
  return list
end

local function buffer(kind, list, first, last)
  first, last = first or 1, last or #list
  local b = gpu.buffer(kind, last - first + 1)
  for i = first, last do b[i - first] = list[i] end
  return b
end

local function options()
  local n = 128 * 1024
  local list = {}
  for i, range in ipairs { { 90, 110 }, { 90, 110 }, { 1, 4 }, { 0.01, 0.05 },
    { 0.1, 0.4 } } do
    list[i] = gpu.buffer("float", n):random(i, range[1], range[2])
  end
  list[6], list[7] = gpu.buffer("float", n), n
  list.grid = n
  return list
end

local function stencil(group)
  local n, edge = 256, 4
  local cells = n * n * n
  local coef = buffer("float", { 0.5, -0.25, 0.125, -0.0625 })
  local inner = n - 2 * edge
  return { edge, n, n, n, coef, gpu.buffer("float", cells):random(1, 0, 1),
    gpu.buffer("float", cells):random(2, 0, 1),
    gpu.buffer("float", cells):fill(0), grid = { inner, inner, inner },
    group = group }
end

local function noise()
  local size, text = 768, contents "noise/noise.ispc"
  local table_text = text:match "NoisePerm%[.-{(.-)}"
  local perm = numbers((table_text:gsub(",", " ")))
  return { -10, -10, 10, 10, size, size, gpu.buffer("float", size * size),
    buffer("int", perm), grid = { size, size } }
end

local function volume()
  local camera = numbers(contents "volume_rendering/camera.dat")
  local voxels = numbers(contents "volume_rendering/density_lowres.vol")
  local width, height = math.tointeger(camera[1]), math.tointeger(camera[2])
  return { buffer("float", voxels, 4), buffer("int", voxels, 1, 3),
    buffer("float", camera, 3, 18), buffer("float", camera, 19, 34),
    width, height, gpu.buffer("float", width * height),
    grid = { width, height } }
end

-- Words of a file as they are, whatever they mean.
local function words(text, first, count)
  local b = gpu.buffer("uint", count)
  for i = 0, count - 1 do b[i] = string.unpack("<I4", text, first + 4 * i) end
  return b
end

-- Nine floats a triangle in the file; three rows of four and its number here.
local function triangles_of(text, first, count)
  local b = gpu.buffer("uint", 16 * count):fill(0)
  for i = 0, count - 1 do
    for k = 0, 8 do
      b[16 * i + k // 3 * 4 + k % 3] =
        string.unpack("<I4", text, first + 36 * i + 4 * k)
    end
    b[16 * i + 12] = i + 1
  end
  return b
end

local function raytrace()
  local camera, tree = contents "rt/teapot.camera", contents "rt/teapot.bvh"
  local width, height = string.unpack("<I4I4", camera)
  local world = words(camera, 9, 16):as "float"
  local raster = words(camera, 73, 16):as "float"
  local nodes = string.unpack("<I4", tree)
  local after = 5 + 32 * nodes
  local triangles = string.unpack("<I4", tree, after)
  return { width, height, width, height, raster, world,
    gpu.buffer("float", width * height), gpu.buffer("int", width * height),
    words(tree, 5, 8 * nodes), triangles_of(tree, after + 4, triangles),
    grid = { width, height } }
end

-- A title, the kernel's name, its arguments and grid, and the argument that is
-- compared: by element, or by its mean where numbers are random.
local list = {
  { "mandelbrot", "mandelbrot", function()
    return { -2, -1, 1, 1, 768, 512, 256, gpu.buffer("int", 768 * 512),
      grid = { 768, 512 } }
  end, 8 },
  { "Black-Scholes", "black_scholes", options, 6 },
  { "binomial options", "binomial", options, 6 },
  { "noise", "noise", noise, 7 },
  { "stencil", "stencil", stencil, 8 },
  { "stencil, groups of 32 × 8", "stencil",
    function() return stencil { 32, 8 } end, 8 },
  { "stencil, groups of 256 × 4", "stencil",
    function() return stencil { 256, 4 } end, 8 },
  { "stencil, groups of 248 × 4", "stencil",
    function() return stencil { 248, 4 } end, 8 },
  { "ambient occlusion", "ao", function()
    return { 256, 256, 2, gpu.buffer("float", 3 * 256 * 256):fill(0),
      grid = { 256, 256 } }
  end, 4, mean = true },
  { "volume", "volume", volume, 7 },
  { "ray tracer", "raytrace", raytrace, 7 },
}

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
local file = assert(io.open "bench/ispc.metal")
local source = file:read "a"
file:close()
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
