#include <metal_stdlib>
using namespace metal;

kernel void dot_product(device const float *a [[buffer(0)]],
                        device const float *b [[buffer(1)]],
                        device float       *out [[buffer(2)]],
                        constant uint      &n [[buffer(3)]],
                        uint t    [[thread_position_in_threadgroup]],
                        uint lane [[thread_index_in_simdgroup]],
                        uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float part[256];
  float sum = 0;
  for (uint i = t; i < n; i += 256) sum += a[i] * b[i];
  part[t] = sum;
  for (uint half_way = 128; half_way > 0; half_way /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < half_way) part[t] += part[t + half_way];
  }
  if (t == 0) out[0] = part[0];
}
