#include <metal_stdlib>
using namespace metal;

kernel void dot_product(device const float *a [[buffer(0)]],
                        device const float *b [[buffer(1)]],
                        device float       *out [[buffer(2)]],
                        constant uint      &n [[buffer(3)]],
                        uint t    [[thread_position_in_threadgroup]],
                        uint lane [[thread_index_in_simdgroup]],
                        uint simd [[simdgroup_index_in_threadgroup]]) {
  if (t > 0) return;
  float sum = 0;
  for (uint i = 0; i < n; i++) sum += a[i] * b[i];
  out[0] = sum;
}
