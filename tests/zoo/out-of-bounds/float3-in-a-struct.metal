// A struct with a float3 is 32 bytes long, not 16.
// run: --grid 50 --group 32 --arg p=float[200] --arg o=float[50]
#include <metal_stdlib>
using namespace metal;

struct Particle { float3 pos; float mass; };
kernel void k(device const float *p, device float *o, uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  o[i] = p[4 * i + 3];
#else
  device const Particle *q = (device const Particle *)p;
  o[i] = q[i].mass; // !out-of-bounds
#endif
}
