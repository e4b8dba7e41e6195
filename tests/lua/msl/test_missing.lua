-- test_missing.lua - what only an Apple GPU has compiles, beside kernels that
-- run here; the kernel that needs it says so when it is taken, in one sentence.
--
-- Guards: msl/ and the host device: ray tracing, imageblocks and their like
-- compile; the kernel that needs them is refused when it is taken
local t = dofile "tests/tap.lua"

-- A build without a device that runs kernels has nothing to refuse.
local there, why = pcall(gpu.kernel, "kernel void f(device float *a [[buffer(0)]]) { a[0] = 1; }")
if not there and tostring(why):find("no device that runs kernels", 1, true) then
  t.skip("what only an Apple GPU has", tostring(why))
  t.done()
end

local head = "#include <metal_stdlib>\nusing namespace metal;\nusing namespace metal::raytracing;\n"
local plain = "\nkernel void plain(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = i + 1; }\n"

-- 'source' compiles with 'plain' beside it; 'plain' runs; 'name' is refused
-- with 'words'.
local function refused(source, name, words)
  local library = gpu.library(head .. source .. plain)
  local a = gpu.buffer(4)
  library.plain{a, grid = 4}
  t.equal(a[3], 4)
  local ok, said = pcall(function() return library[name] end)
  t.ok(not ok, "it must not be taken")
  t.ok(tostring(said):find("kernel '" .. name .. "' needs " .. words, 1, true),
    tostring(said))
  t.ok(tostring(said):find("only an Apple GPU", 1, true), tostring(said))
end

t.test("an acceleration structure and an intersector", function()
  refused([=[
struct Hit { float distance; };
kernel void trace(instance_acceleration_structure scene [[buffer(0)]],
                  intersection_function_table<triangle_data, instancing> table [[buffer(1)]],
                  device Hit *hits [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  intersector<triangle_data, instancing> inter;
  inter.assume_geometry_type(geometry_type::triangle);
  inter.force_opacity(forced_opacity::opaque);
  inter.accept_any_intersection(false);
  ray r(float3(0), float3(0, 0, 1), 0.001f, INFINITY);
  typename intersector<triangle_data, instancing>::result_type hit = inter.intersect(r, scene, 1, table);
  hits[i].distance = hit.type == intersection_type::none ? -1 : hit.distance + hit.instance_id + hit.triangle_barycentric_coord.x;
}]=], "trace", "ray tracing")
end)

t.test("an intersection query, and an intersection function with a payload", function()
  refused([=[
struct Result { bool accept [[accept_intersection]]; float distance [[distance]]; };
[[intersection(bounding_box)]] Result sphere(float3 o [[origin]], float3 d [[direction]], uint id [[primitive_id]],
                                             ray_data float3 &payload [[payload]]) {
  payload = o;
  return {dot(o, d) > 0, length(o)};
}
kernel void ask(primitive_acceleration_structure scene [[buffer(0)]], device float *out [[buffer(1)]]) {
  intersection_query<triangle_data> q;
  q.reset(ray(float3(0), float3(1)), scene);
  while (q.next())
    if (q.get_candidate_intersection_type() == intersection_type::triangle) q.commit_triangle_intersection();
  out[0] = q.get_committed_distance();
}]=], "ask", "ray tracing")
end)

t.test("a table of visible functions", function()
  refused([=[
[[visible]] float twice(float x) { return 2 * x; }
struct Table { visible_function_table<float4(int, float)> paint; };
kernel void call(visible_function_table<float(float)> f [[buffer(0)]], device float *out [[buffer(1)]]) { out[0] = f[1](3.0f); }
]=], "call", "tables of functions")
end)

t.test("an imageblock", function()
  refused([=[
struct Pixel { rgba8unorm<half4> colour; };
kernel void tile(imageblock<Pixel, imageblock_layout_explicit> block, ushort2 at [[thread_position_in_threadgroup]]) {
  threadgroup_imageblock Pixel *p = block.data(at);
  p->colour = half4(1);
}]=], "tile", "imageblocks")
end)

t.test("an indirect command buffer, and a rasterization rate map", function()
  refused([=[
struct Container { command_buffer commands [[id(0)]]; render_pipeline_state state [[id(1)]]; };
kernel void encode(device Container *c [[buffer(0)]], device float4 *vertices [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  render_command cmd(c->commands, i);
  cmd.set_render_pipeline_state(c->state);
  cmd.set_vertex_buffer(vertices, 0);
  cmd.draw_primitives(primitive_type::triangle, 0, 3, 1, i);
}]=], "encode", "indirect command buffers")
  refused([=[
kernel void rate(constant rasterization_rate_map_data *data [[buffer(0)]], device float2 *out [[buffer(1)]]) {
  rasterization_rate_map_decoder map(*data);
  out[0] = map.map_screen_to_physical_coordinates(float2(1));
}]=], "rate", "rasterization rate maps")
end)

t.test("tensors, and their product by a SIMD-group", function()
  refused([=[
#include <metal_tensor>
#include <MetalPerformancePrimitives/MetalPerformancePrimitives.h>
kernel void product(tensor<device half, dextents<int, 2>> a [[buffer(0)]], device half *out [[buffer(1)]]) {
  constexpr auto desc = mpp::tensor_ops::matmul2d_descriptor(
      16, 32, 16, false, false, true, mpp::tensor_ops::matmul2d_descriptor::mode::multiply_accumulate);
  mpp::tensor_ops::matmul2d<desc, metal::execution_simdgroup> op;
  auto l = op.template get_left_input_cooperative_tensor<half, half, float>();
  auto r = op.template get_right_input_cooperative_tensor<half, half, float>();
  auto c = op.template get_destination_cooperative_tensor<decltype(l), decltype(r), float>();
  l[0] = out[0];
  op.run(l, r, c);
  out[0] = c[0];
}]=], "product", "tensors")
end)

t.test("[[stage_in]] of a kernel", function()
  refused([=[
struct In { float4 position [[attribute(0)]]; };
kernel void stage(In in [[stage_in]], device float4 *out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = in.position; }
]=], "stage", "[[stage_in]] arguments")
end)

t.test("functions for drawing are left out: mesh, object, fragment with an interpolant", function()
  local library = gpu.library(head .. [=[
struct V { float4 position [[position]]; };
struct P { float4 colour; };
using Mesh = metal::mesh<V, P, 64, 32, topology::triangle>;
struct Payload { uint n; };
[[object]] void grow(object_data Payload &out [[payload]], mesh_grid_properties grid) { out.n = 1; grid.set_threadgroups_per_grid(uint3(1)); }
[[mesh]] void emit(Mesh m, const object_data Payload &in [[payload]], uint i [[thread_index_in_threadgroup]]) {
  V v; v.position = float4(in.n);
  m.set_vertex(i, v);
  m.set_index(i, uchar(i));
  if (i == 0) m.set_primitive_count(1);
}
struct F { interpolant<float4, interpolation::perspective> colour [[user(c)]]; };
fragment float4 paint(F in [[stage_in]], texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]]) {
  return in.colour.interpolate_at_center() * t.calculate_clamped_lod(s, float2(0.5)) + dfdx(1.0f);
}]=] .. plain)
  local a = gpu.buffer(4)
  library.plain{a, grid = 4}
  t.equal(a[0], 1)
end)
t.done()
