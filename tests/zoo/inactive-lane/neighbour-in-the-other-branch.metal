// Even lanes ask their odd neighbours, who are in the other branch.
// run: --grid 64 --group 64 --arg x=float[64] --arg y=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void swap_pairs(device const float *x [[buffer(0)]],
                       device float *y [[buffer(1)]],
                       uint i [[thread_position_in_grid]],
                       ushort lane [[thread_index_in_simdgroup]]) {
  float v = x[i];
#ifdef FIXED
  v = simd_shuffle(v, lane ^ 1);
#else
  if (lane % 2 == 0)
    v = simd_shuffle(v, lane + 1); // !inactive-lane
  else
    v = simd_shuffle(v, lane - 1); // !inactive-lane
#endif
  y[i] = v;
}
