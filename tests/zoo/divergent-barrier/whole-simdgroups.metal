// Only the first SIMD-group reaches the barrier: the branch is uniform within it,
// but not within the threadgroup.
// run: --grid 96 --group 96 --arg x=float[96] --arg out=float[1]
// also: race
#include <metal_stdlib>
using namespace metal;

kernel void total(device const float *x [[buffer(0)]],
                  device float *out [[buffer(1)]],
                  uint t [[thread_position_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]],
                  uint warp [[simdgroup_index_in_threadgroup]]) {
  threadgroup float parts[3];
  float s = simd_sum(x[t]);
  if (lane == 0) parts[warp] = s;
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  if (warp == 0) {
#ifndef FIXED
    threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
#endif
    if (lane == 0) out[0] = parts[0] + parts[1] + parts[2];
  }
}
