#include <metal_stdlib>
using namespace metal;

kernel void scan(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 constant uint      &n [[buffer(2)]],
                 uint t    [[thread_position_in_threadgroup]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint simd [[simdgroup_index_in_threadgroup]]) {
  if (t > 0) return;
  float sum = 0;
  for (uint i = 0; i < n; i++) y[i] = sum += x[i];
}
