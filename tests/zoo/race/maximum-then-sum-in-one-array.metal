// The rows' maximum is read by all while the first SIMD-group puts its sum there.
// run: --grid 256 --group 128 --arg x=float[256] --arg y=float[256]
#include <metal_stdlib>
using namespace metal;

kernel void softmax(device const float *x [[buffer(0)]],
                    device float *y [[buffer(1)]],
                    uint i [[thread_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]],
                    uint simd [[simdgroup_index_in_threadgroup]],
                    uint simds [[simdgroups_per_threadgroup]]) {
  threadgroup float part[32];
  float most = simd_max(x[i]), sum = 0;
  if (lane == 0) part[simd] = most;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 0; k < simds; k++) most = max(most, part[k]); // !race
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  float e = exp(x[i] - most), mine = simd_sum(e);
  if (lane == 0) part[simd] = mine; // !race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 0; k < simds; k++) sum += part[k];
  y[i] = e / sum;
}
