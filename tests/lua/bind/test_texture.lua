-- test_texture.lua - textures from Lua to a kernel and back, in every format.
--
-- Guards: textures and samplers from Lua to a kernel and back, every format;
-- lua/bind/memory/texture.c
local t = dofile "tests/tap.lua"

local formats = {}
for line in io.lines "msl/include/metal/__pixel_formats" do
  formats[#formats + 1] = line:match "^  X%(%w+, +(%w+),"
end
formats = table.concat(formats, " ")

-- Intel's and AMD's GPUs have no depth textures that the CPU can fill.
local has_depths, why_not = pcall(gpu.texture, "depth32float", 1, 1)
if not has_depths then t.has(why_not, "only a render pass can fill") end
local function is_here(format)
  return has_depths or not format:find "depth"
end

local function copier(kind)
  return gpu.kernel(([=[
#include <metal_stdlib>
using namespace metal;
kernel void copy(texture2d<%s, access::read> a [[texture(0)]], texture2d<%s, access::write> b [[texture(1)]],
                 uint2 at [[thread_position_in_grid]]) { b.write(a.read(at), at); }
]=]):format(kind, kind))
end

-- Pixels that every format holds exactly.
local function fill(pixels, format, kind)
  if kind == "int" then return pixels:random(1, -100, 100) end
  if format:find "snorm" then return pixels:random(1, -127, 128) end
  if kind == "uint" or format:find "unorm" then
    return pixels:random(1, 0, 256)
  end
  return pixels:random(1)
end

t.test("a kernel reads and writes every format", function()
  local kernels = { float = copier "float", uint = copier "uint",
    int = copier "int" }
  for format in formats:gmatch "%S+" do if is_here(format) then
    local kind = format:find "sint" and "int" or format:find "uint" and "uint"
      or "float"
    local from, to = gpu.texture(format, 37, 5), gpu.texture(format, 37, 5)
    local pixels = fill(from:read(), format, kind)
    from:write(pixels)
    t.ok(from:read():equals(pixels), format .. ": written and read back")
    if format:find "depth" then
      t.raises(format .. ", which kernels can only read", function()
        kernels[kind] { from, to, grid = { 37, 5 } }
      end)
      to = gpu.texture(format:find "16" and "r16unorm" or "r32float", 37, 5)
    end
    kernels[kind] { from, to, grid = { 37, 5 }, group = { 16, 8 } }
    local same, report = to:read():equals(pixels)
    t.ok(same, format .. ": " .. tostring(report))
  end end
end)

t.test("the help names every format, and none that is not there", function()
  local list = io.open("lua/reference/help/gpu.texture.md"):read("a"):match "what they mean: (.-)%. A unorm"
  local told = {}
  for name in list:gmatch "%w+" do told[#told + 1] = name end
  table.sort(told)
  local there = {}
  for name in formats:gmatch "%S+" do there[#there + 1] = name end
  table.sort(there)
  t.ok(#there >= 37)
  t.equal(table.concat(told, " "), table.concat(there, " "))
end)

t.test("components come in the order of the format", function()
  local paint = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void paint(texture2d<float, access::write> a [[texture(0)]], uint2 at [[thread_position_in_grid]]) {
  a.write(float4(1, 0.2f, 0, 0.6f), at);
}]=]
  local rgba, bgra = gpu.texture("rgba8unorm", 2, 2),
    gpu.texture("bgra8unorm", 2, 2)
  paint { rgba, grid = { 2, 2 } }
  paint { bgra, grid = { 2, 2 } }
  local a, b = rgba:read(), bgra:read()
  t.equal(a:at(1, 1, 0), 255)
  t.equal(a:at(1, 1, 1), 51); t.equal(a:at(1, 1, 3), 153)
  t.equal(b:at(1, 1, 2), 255); t.equal(b:at(1, 1, 0), 0)
end)

local sampled = [=[
#include <metal_stdlib>
using namespace metal;
kernel void look(texture2d<float> a [[texture(0)]], sampler s [[sampler(0)]], device float *out [[buffer(0)]],
                 constant float &step [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  out[i] = a.sample(s, float2(i * step, 0.5f)).x;
}]=]

t.test("samplers given from Lua", function()
  local k = gpu.kernel(sampled)
  local row = gpu.texture("r32float", 4, 1):write(gpu.buffer { 0, 1, 2, 3 })
  local out = gpu.buffer(6)
  local function look(sampler, step, expected)
    k { row, gpu.sampler(sampler), out, step, grid = 6 }
    local same, report = out:equals(expected, 1e-6)
    t.ok(same, tostring(gpu.sampler(sampler)) .. ": " .. tostring(report))
  end
  look({}, 0.25, { 0, 1, 2, 3, 3, 3 })
  look({ filter = "linear" }, 0.25, { 0, 0.5, 1.5, 2.5, 3, 3 })
  look({ address = "repeat" }, 0.25, { 0, 1, 2, 3, 0, 1 })
  look({ address = "clamp_to_zero" }, 0.25, { 0, 1, 2, 3, 0, 0 })
  look({ coord = "pixel" }, 1, { 0, 1, 2, 3, 3, 3 })
end)

t.test("volumes and layers", function()
  local k = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void count(texture3d<float, access::write> a [[texture(0)]], uint3 at [[thread_position_in_grid]]) {
  a.write(float4(at.x + 10 * at.y + 100 * at.z), at);
}]=]
  local v = gpu.texture("r32float", 4, 3, 2)
  k { v, grid = { 4, 3, 2 } }
  local pixels = v:read()
  t.equal(pixels:at(5, 3), 123); t.equal(pixels:at(2, 1), 21)
  local layers = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void layers(texture2d_array<float, access::write> a [[texture(0)]], uint3 at [[thread_position_in_grid]]) {
  a.write(float4(at.x + 10 * at.y + 100 * at.z), at.xy, at.z);
}]=]
  local l = gpu.texture { format = "r32float", width = 4, height = 3,
    layers = 2 }
  layers { l, grid = { 4, 3, 2 } }
  t.ok(l:read():equals(pixels), "the same places")
end)

t.test("what does not fit is refused in a sentence", function()
  local k = copier "float"
  local a = gpu.texture("r32float", 4, 4)
  t.raises("takes a texture", function()
    k { a, gpu.buffer(16), grid = { 4, 4 } }
  end)
  t.raises("no pixel format 'rgb8'", gpu.texture, "rgb8", 4, 4)
  t.raises("bytes", function() a:write(gpu.buffer(3)) end)
end)

-- A linear filter mixes the results of comparisons, not what is compared.
-- Depths
-- and places are multiples of 1/8: every answer is exact.
local compared = [=[
#include <metal_stdlib>
using namespace metal;
constexpr sampler s(coord::pixel, filter::FILTER, address::ADDRESS, compare_func::FUNCTION);
kernel void one(depth2d<float> d, device const float2 *at, device float *out, device float4 *four, constant float &ref,
                uint i [[thread_position_in_grid]]) {
  out[3 * i] = d.sample_compare(s, at[i], ref);
  out[3 * i + 1] = d.sample_compare(s, at[i], ref, level(0));
  out[3 * i + 2] = d.sample_compare(s, at[i], ref, int2(1, -1));
  four[i] = d.gather_compare(s, at[i], ref);
}
kernel void layer(depth2d_array<float> d, device const float2 *at, device float *out, device float4 *four,
                  constant float &ref, uint i [[thread_position_in_grid]]) {
  out[3 * i] = d.sample_compare(s, at[i], 1, ref);
  out[3 * i + 1] = d.sample_compare(s, at[i], 1, ref, bias(0));
  out[3 * i + 2] = d.sample_compare(s, at[i], 1, ref, gradient2d(0, 0), int2(1, -1));
  four[i] = d.gather_compare(s, at[i], 1, ref);
}]=]

local holds = {
  less = function(a, b) return a < b end,
  less_equal = function(a, b) return a <= b end,
  greater = function(a, b) return a > b end,
  greater_equal = function(a, b) return a >= b end,
  equal = function(a, b) return a == b end,
  not_equal = function(a, b) return a ~= b end,
  always = function() return true end, never = function() return false end,
}

-- texel(x, y) of a texture of 5 x 4 beyond its edges
local function beyond(pixels, address, first)
  return function(x, y)
    local out = x < 0 or x > 4 or y < 0 or y > 3
    if out and address == "clamp_to_zero" then return 0 end
    x, y = math.max(0, math.min(4, x)), math.max(0, math.min(3, y))
    return pixels[first + y * 5 + x]
  end
end

local function expected(texel, test, ref, filter, x, y)
  local function passes(i, j) return test(ref, texel(i, j)) and 1 or 0 end
  if filter == "nearest" then return passes(x // 1, y // 1) end
  local i, j = (x - 0.5) // 1, (y - 0.5) // 1
  local fx, fy = x - 0.5 - i, y - 0.5 - j
  return (passes(i, j) * (1 - fx) + passes(i + 1, j) * fx) * (1 - fy) +
    (passes(i, j + 1) * (1 - fx) + passes(i + 1, j + 1) * fx) * fy
end

local function try_comparison(name, func, filter, address, format)
  local library = gpu.library((compared:gsub("FILTER", filter)
    :gsub("ADDRESS", address):gsub("FUNCTION", func)))
  local layers = name == "layer" and 2 or 1
  local scalar = format == "depth16unorm" and "ushort" or "float"
  local pixels, at = gpu.buffer(scalar, 20 * layers), gpu.buffer("float2", 40)
  for i = 0, 20 * layers - 1 do
    local whole = i * 7 % 3 == 0 and 65535 or 0
    pixels[i] = format == "depth16unorm" and whole or i * 7 % 9 / 8
  end
  for i = 0, 39 do at[i] = { i * 5 % 48 / 8 - 0.5, i * 11 % 40 / 8 - 0.5 } end
  local d = gpu.texture { format = format, width = 5, height = 4,
    layers = layers > 1 and layers or nil }
  d:write(pixels)
  local depths = {}
  for i = 0, 20 * layers - 1 do
    depths[i] = format == "depth16unorm" and pixels[i] / 65535 or pixels[i]
  end
  local texel = beyond(depths, address, 20 * (layers - 1))
  for _, ref in ipairs { 0.5, 1, 1.5 } do
    local out, four = gpu.buffer(120), gpu.buffer("float4", 40)
    library:kernel(name) { d, at, out, four, ref, grid = 40 }
    local with = format == "depth16unorm" and math.min(ref, 1) or ref
    for i = 0, 39 do
      local x, y = at[i][1], at[i][2]
      local where = ("%s %s %s %s: %g at %g %g"):format(name, func, filter,
        address, ref, x, y)
      t.equal(out[3 * i], expected(texel, holds[func], with, filter, x, y),
        where)
      t.equal(out[3 * i + 1], out[3 * i], where)
      t.equal(out[3 * i + 2], expected(texel, holds[func], with, filter,
        x + 1, y - 1), where .. ", with an offset")
      local a, b = (x - 0.5) // 1, (y - 0.5) // 1
      for k, o in ipairs { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 } } do
        local held = holds[func](with, texel(a + o[1], b + o[2]))
        t.equal(four[i][k], held and 1 or 0, where .. ", gathered")
      end
    end
  end
end

t.test("depth textures are compared, then filtered", function()
  if not has_depths then return end
  for _, func in ipairs { "less", "equal", "never" } do
    try_comparison("one", func, "linear", "clamp_to_edge", "depth32float")
  end
  try_comparison("one", "not_equal", "nearest", "clamp_to_zero", "depth32float")
  try_comparison("one", "less_equal", "linear", "clamp_to_zero", "depth16unorm")
  try_comparison("layer", "greater", "linear", "clamp_to_edge", "depth32float")
  try_comparison("layer", "greater_equal", "linear", "clamp_to_zero",
    "depth16unorm")
  try_comparison("one", "always", "linear", "clamp_to_edge", "r32float")
end)

t.test("depth formats are of two dimensions", function()
  t.raises("depth32float is for 2d textures", gpu.texture, "depth32float", 4)
  t.raises("depth16unorm is for 2d textures", gpu.texture, "depth16unorm", 4,
    4, 4)
end)

t.test("an array of textures: each place has its own", function()
  local pick = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void pick(array<texture2d<float, access::read>, 3> from [[texture(0)]],
                 array<texture2d<float, access::write>, 2> to [[texture(3)]],
                 device const uint *which [[buffer(0)]], uint2 at [[thread_position_in_grid]]) {
  uint w = which[at.x];
  to[w & 1].write(from[w].read(at) + float(w), at);
  if (at.x == 0) to[1].write(from[2].read(at), at);
}
]=]
  local from, to = {}, {}
  for k = 1, 3 do
    from[k] = gpu.texture("r32float", 6, 2)
    from[k]:write(gpu.buffer("float", 12):fill(10 * k))
  end
  for k = 1, 2 do to[k] = gpu.texture("r32float", 6, 2) end
  local which = gpu.buffer("uint", { 0, 1, 2, 2, 1, 0 })
  pick { from, to, which, grid = { 6, 2 } }
  local even, odd = to[1]:read(), to[2]:read()
  for x = 0, 5 do
    local w = which[x]
    t.equal((w % 2 == 0 and even or odd):at(1, x, 0), 10 * (w + 1) + w)
  end
  t.equal(odd:at(0, 0, 0), 30)
  t.raises("table of 3 textures, got 2", function()
    pick { { from[1], from[2] }, to, which, grid = { 6, 2 } }
  end)
  t.raises("table of textures", function()
    pick { from[1], to, which, grid = { 6, 2 } }
  end)
  t.raises("place 2 of its table is not a texture", function()
    pick { { from[1], 5, from[2] }, to, which, grid = { 6, 2 } }
  end)
  t.raises("another kind", function()
    pick { { from[1], gpu.texture("r32float", 6), from[2] }, to, which,
      grid = { 6, 2 } }
  end)
end)

t.test("a sampler from Lua compares", function()
  if not has_depths then return end
  local k = gpu.kernel [=[
#include <metal_stdlib>
using namespace metal;
kernel void with(depth2d<float> d, sampler s, device float *out,
                 constant float &ref) {
  out[0] = d.sample_compare(s, float2(0.5f), ref);
}]=]
  local d = gpu.texture("depth32float", 1, 1):write(gpu.buffer { 0.5 })
  local out = gpu.buffer(1)
  for name, f in pairs(holds) do
    local s = gpu.sampler { compare = name }
    for _, ref in ipairs { 0.25, 0.5, 0.75 } do
      k { d, s, out, ref, grid = 1 }
      t.equal(out[0], f(ref, 0.5) and 1.0 or 0.0, name .. " " .. ref)
    end
    t.ok(tostring(s):find("compares by " .. name, 1, true), tostring(s))
  end
  k { d, gpu.sampler(), out, 0.25, grid = 1 }
  t.equal(out[0], 0.0)
  t.raises("compare is not 'more'", gpu.sampler, { compare = "more" })
end)

-- The host takes the faces of cubes as layers.
t.test("cubes of depths are compared, then filtered", function()
  gpu.use "host"
  local library = gpu.library [=[
#include <metal_stdlib>
using namespace metal;
constexpr sampler s(filter::linear, compare_func::less);
kernel void cube(depthcube<float> d, device float *out, device float4 *four) {
  out[0] = d.sample_compare(s, float3(1, 0, 0), 0.5f);
  out[1] = d.sample_compare(s, float3(1, 0, 0), 0.5f, level(0));
  four[0] = d.gather_compare(s, float3(1, 0, 0), 0.5f);
}
kernel void cubes(depthcube_array<float> d, device float *out, device float4 *four) {
  out[0] = d.sample_compare(s, float3(1, 0, 0), 1, 0.5f);
  out[1] = d.sample_compare(s, float3(1, 0, 0), 1, 0.5f, bias(0));
  four[0] = d.gather_compare(s, float3(1, 0, 0), 1, 0.5f);
}]=]
  local function try(name, layers, first, want, gathered)
    local d = gpu.texture { format = "depth32float", width = 2, height = 2,
      layers = layers }
    local pixels = gpu.buffer(4 * layers)
    for i = 0, 3 do pixels[first + i] = i < want * 4 and 1 or 0 end
    local out, four = gpu.buffer(2), gpu.buffer("float4", 1)
    library:kernel(name) { d:write(pixels), out, four, grid = 1 }
    t.equal(out[0], want)
    t.equal(out[1], want)
    t.equal(table.concat(four[0], " "), gathered)
  end
  try("cube", 6, 0, 0.75, "1.0 0.0 1.0 1.0")
  try("cubes", 12, 24, 0.25, "0.0 0.0 0.0 1.0")
end)

t.done()
