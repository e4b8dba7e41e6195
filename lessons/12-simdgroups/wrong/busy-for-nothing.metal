#include <metal_stdlib>
using namespace metal;

// A loop that all lanes run hides those that wait below.
kernel void even_odd(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     constant uint      &n [[buffer(2)]],
                     uint group [[threadgroup_position_in_grid]],
                     uint t     [[thread_position_in_threadgroup]],
                     uint simd  [[simdgroup_index_in_threadgroup]],
                     uint lane  [[thread_index_in_simdgroup]]) {
  uint i = group * 64 + t;
  if (i >= n) return;
  float v = x[i], w = v;
  for (uint r = 0; r < n / 8; r++) w = w * 0.999f + 0.5f;
  if (i % 2 == 0) {
    for (int r = 0; r < 16; r++) v = 0.5f * v + 1.0f;
  } else {
    for (int r = 0; r < 16; r++) v = 0.9f * v - 0.1f;
  }
  y[i] = w == -1.0f ? 0.0f : v;
}
