#include <metal_stdlib>
using namespace metal;

kernel void keep_positive(device const float *x     [[buffer(0)]],
                          device float       *y     [[buffer(1)]],
                          device uint        *count [[buffer(2)]],
                          constant uint      &n     [[buffer(3)]],
                          uint t    [[thread_position_in_threadgroup]],
                          uint lane [[thread_index_in_simdgroup]],
                          uint simd [[simdgroup_index_in_threadgroup]]) {
  if (t > 0) return;
  uint k = 0;
  for (uint i = 0; i < n; i++)
    if (x[i] > 0) y[k++] = x[i];
  count[0] = k;
}
