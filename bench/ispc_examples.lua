-- ispc_examples.lua - ISPC's own examples as launches of the kernels that were
-- ported from them (ispc.metal), on the examples' data.
--
--   local examples = dofile "bench/ispc_examples.lua"
--   examples.list(FOLDER)   a list of { title, kernel's name, function that
--                           makes the arguments and grid, number of the
--                           argument that is compared, mean = true: by its mean
--                           since numbers are random }
--   examples.source(BENCH)  the kernels' text; BENCH: the folder of this file
--
-- FOLDER is examples/cpu of ISPC's repository.
local examples, module = nil, {}

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

function module.list(folder)
  examples = folder
  return list
end

function module.source(bench)
  local file = assert(io.open(bench .. "/ispc.metal"))
  local text = file:read "a"
  file:close()
  return text
end

return module
