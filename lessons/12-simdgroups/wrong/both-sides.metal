#include <metal_stdlib>
using namespace metal;

// Every lane computes both and takes one of them: nobody waits, all pay twice.
kernel void even_odd(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     constant uint      &n [[buffer(2)]],
                     uint group [[threadgroup_position_in_grid]],
                     uint t     [[thread_position_in_threadgroup]],
                     uint simd  [[simdgroup_index_in_threadgroup]],
                     uint lane  [[thread_index_in_simdgroup]]) {
  uint i = group * 64 + t;
  if (i >= n) return;
  float v = x[i], even = v, odd = v;
  for (int r = 0; r < 16; r++) {
    even = 0.5f * even + 1.0f;
    odd = 0.9f * odd - 0.1f;
  }
  y[i] = i % 2 == 0 ? even : odd;
}
