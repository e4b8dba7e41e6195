-- test_texture.lua - textures from Lua to a kernel and back, in every format.
local t = dofile "tests/tap.lua"

local formats = {}
for line in io.lines "msl/include/metal/__pixel_formats" do
  formats[#formats + 1] = line:match "^  X%(%w+, +(%w+),"
end
formats = table.concat(formats, " ")

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
  for format in formats:gmatch "%S+" do
    local kind = format:find "sint" and "int" or format:find "uint" and "uint"
      or "float"
    local from, to = gpu.texture(format, 37, 5), gpu.texture(format, 37, 5)
    local pixels = fill(from:read(), format, kind)
    from:write(pixels)
    t.ok(from:read():equals(pixels), format .. ": written and read back")
    kernels[kind] { from, to, grid = { 37, 5 }, group = { 16, 8 } }
    local same, report = to:read():equals(pixels)
    t.ok(same, format .. ": " .. tostring(report))
  end
end)

t.test("the help names every format, and none that is not there", function()
  local list = io.open("lua/help/gpu.texture.md"):read("a"):match "what they mean: (.-)%. A unorm"
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

t.done()
