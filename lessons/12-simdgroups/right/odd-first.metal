#include <metal_stdlib>
using namespace metal;

// SIMD-group 0 takes the odd ones, and lanes go backwards.
kernel void even_odd(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     constant uint      &n [[buffer(2)]],
                     uint group [[threadgroup_position_in_grid]],
                     uint t     [[thread_position_in_threadgroup]],
                     uint simd  [[simdgroup_index_in_threadgroup]],
                     uint lane  [[thread_index_in_simdgroup]]) {
  uint i = group * 64 + 63 - 2 * lane - simd;
  if (i >= n) return;
  float v = x[i];
  int r = 16;
  if (simd == 1) while (r-- > 0) v = fma(0.5f, v, 1.0f);
  else while (r-- > 0) v = fma(0.9f, v, -0.1f);
  y[i] = v;
}
