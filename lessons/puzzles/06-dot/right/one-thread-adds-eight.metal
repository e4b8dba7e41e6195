#include <metal_stdlib>
using namespace metal;

kernel void dot_product(device const float *a [[buffer(0)]],
                        device const float *b [[buffer(1)]],
                        device float       *out [[buffer(2)]],
                        constant uint      &n [[buffer(3)]],
                        uint t    [[thread_position_in_threadgroup]],
                        uint lane [[thread_index_in_simdgroup]],
                        uint simd [[simdgroup_index_in_threadgroup]]) {
  float sum = 0;
  for (uint i = t; i < n; i += 256) sum = fma(a[i], b[i], sum);
  threadgroup float part[8];
  sum = simd_sum(sum);
  if (lane == 0) part[simd] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t > 0) return;
  float total = 0;
  for (uint k = 0; k < 8; k++) total += part[k];
  out[0] = total;
}
