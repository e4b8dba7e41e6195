// The maxima are still being read when the sums take their place.
// run: --grid 128 --group 128 --arg x=float[128] --arg y=float[128]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float *x, device float *y, uint t [[thread_position_in_threadgroup]],
              uint sg [[simdgroup_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float part[4];
  float m = simd_max(x[t]);
  if (lane == 0) part[sg] = m; // !race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  m = max(max(part[0], part[1]), max(part[2], part[3])); // !race
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  float e = exp(x[t] - m), s = simd_sum(e);
  if (lane == 0) part[sg] = s; // !race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[t] = e / (part[0] + part[1] + part[2] + part[3]);
}
