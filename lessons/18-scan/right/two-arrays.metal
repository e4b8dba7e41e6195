#include <metal_stdlib>
using namespace metal;

kernel void group_scan(device const float *x [[buffer(0)]],
                       device float       *y [[buffer(1)]],
                       constant uint      &n [[buffer(2)]],
                       uint i    [[thread_position_in_grid]],
                       uint t    [[thread_position_in_threadgroup]],
                       uint lane [[thread_index_in_simdgroup]],
                       uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float part[2][256];
  uint from = 0;
  part[0][t] = i < n ? x[i] : 0;
  for (uint back = 1; back < 256; back *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    part[1 - from][t] = part[from][t] + (t >= back ? part[from][t - back] : 0);
    from = 1 - from;
  }
  if (i < n) y[i] = part[from][t];
}
