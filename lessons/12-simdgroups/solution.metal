#include <metal_stdlib>
using namespace metal;

kernel void even_odd(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     constant uint      &n [[buffer(2)]],
                     uint group [[threadgroup_position_in_grid]],
                     uint t     [[thread_position_in_threadgroup]],
                     uint simd  [[simdgroup_index_in_threadgroup]],
                     uint lane  [[thread_index_in_simdgroup]]) {
  uint i = group * 64 + lane * 2 + simd;
  if (i >= n) return;
  float v = x[i];
  if (i % 2 == 0) {
    for (int r = 0; r < 16; r++) v = 0.5f * v + 1.0f;
  } else {
    for (int r = 0; r < 16; r++) v = 0.9f * v - 0.1f;
  }
  y[i] = v;
}
