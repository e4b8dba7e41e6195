// More threads in depth than the volume has.
// run: --grid 4,4,5 --group 4,4,1 --arg t=r32float[4,4,4] --arg o=float[80]
#include <metal_stdlib>
using namespace metal;

kernel void k(texture3d<float, access::read> t, device float *o, uint3 p [[thread_position_in_grid]]) {
#ifdef FIXED
  o[(p.z * 4 + p.y) * 4 + p.x] = p.z < t.get_depth() ? t.read(p).x : 0;
#else
  o[(p.z * 4 + p.y) * 4 + p.x] = t.read(p).x; // !out-of-bounds
#endif
}
