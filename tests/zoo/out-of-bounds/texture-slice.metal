// Three slices are 0, 1 and 2.
// run: --grid 8,8 --group 8,8 --arg t=r32float[8,8,3] --arg o=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void k(texture2d_array<float, access::read> t, device float *o, uint2 p [[thread_position_in_grid]]) {
#ifdef FIXED
  uint s = 2;
#else
  uint s = 3;
#endif
  o[p.y * 8 + p.x] = t.read(p, s).x; // !out-of-bounds
}
