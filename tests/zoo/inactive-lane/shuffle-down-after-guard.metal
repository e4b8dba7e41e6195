// A SIMD-group's sum by shuffles, behind a guard that some lanes do not pass.
// run: --grid 64 --group 32 --arg x=float[50] --arg out=float[2] --arg n=50
#include <metal_stdlib>
using namespace metal;

kernel void sums(device const float *x [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 constant uint &n [[buffer(2)]],
                 uint i [[thread_position_in_grid]],
                 uint g [[threadgroup_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
#ifdef FIXED
  float v = i < n ? x[i] : 0;
#else
  if (i >= n) return;
  float v = x[i];
#endif
  for (ushort d = 16; d > 0; d /= 2)
    v += simd_shuffle_down(v, d); // !inactive-lane
  if (lane == 0) out[g] = v;
}
