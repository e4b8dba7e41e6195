// Particles are drawn, and two that fall on one texel write over each other.
// run: --grid 64 --group 32 --arg x=float[64]:0..7.9 --arg image=r32uint[8,1] --arg count=uint[8]:zero
// also: schedule
#include <metal_stdlib>
using namespace metal;

kernel void splat(device const float *x [[buffer(0)]],
                  texture2d<uint, access::write> image [[texture(0)]],
                  device atomic_uint *count [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  uint at = uint(x[i]);
#ifdef FIXED
  atomic_fetch_add_explicit(count + at, 1, memory_order_relaxed);
  if (i < 8) image.write(uint4(i), uint2(i, 0));
#else
  image.write(uint4(i), uint2(at, 0)); // !race
  atomic_fetch_add_explicit(count + at, 1, memory_order_relaxed);
#endif
}
