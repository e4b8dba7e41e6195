#include <metal_stdlib>
using namespace metal;

// No branch at all: the two ways differ in two numbers.
kernel void even_odd(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     constant uint      &n [[buffer(2)]],
                     uint group [[threadgroup_position_in_grid]],
                     uint t     [[thread_position_in_threadgroup]],
                     uint simd  [[simdgroup_index_in_threadgroup]],
                     uint lane  [[thread_index_in_simdgroup]]) {
  uint i = group * 64 + t;
  if (i >= n) return;
  float v = x[i], a = i % 2 == 0 ? 0.5f : 0.9f, b = i % 2 == 0 ? 1.0f : -0.1f;
  for (int r = 0; r < 16; r++) v = a * v + b;
  y[i] = v;
}
