// Half of the lanes load the matrix: what the others hold of it is anybody's guess.
// run: --grid 32 --group 32 --arg in=float[64] --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void load_half(device const float *in [[buffer(0)]],
                      device float *out [[buffer(1)]],
                      uint lane [[thread_index_in_simdgroup]]) {
  simdgroup_float8x8 m = simdgroup_float8x8(0.0f);
#ifdef FIXED
  simdgroup_load(m, in, 8);
#else
  if (lane < 16) simdgroup_load(m, in, 8); // !inactive-lane
#endif
  simdgroup_store(m, out, 8);
}
