// The neighbour in the quad took the other way.
// run: --grid 32 --group 32 --arg x=float[32] --arg o=float[32]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float *x, device float *o, uint t [[thread_index_in_simdgroup]]) {
  float v = x[t], d = 0;
#ifdef FIXED
  d = quad_shuffle_xor(v, 1) - v;
#else
  if (t % 2 == 0) d = quad_shuffle(v, (t & 3) + 1) - v; // !inactive-lane
#endif
  o[t] = d;
}
