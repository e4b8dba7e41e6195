// The barrier orders buffers, and the picture is a texture.
// run: --grid 16,16 --group 16,16 --arg t=r32float[16,16]
#include <metal_stdlib>
using namespace metal;

kernel void k(texture2d<float, access::read_write> t, uint2 p [[thread_position_in_grid]]) {
  float4 v = t.read(uint2(15 - p.x, p.y)); // !race
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_texture);
#else
  threadgroup_barrier(mem_flags::mem_device);
#endif
  t.write(v, p); // !race
}
