#include <metal_stdlib>
using namespace metal;

kernel void matmul(device const float *a [[buffer(0)]],
                   device const float *b [[buffer(1)]],
                   device float       *c [[buffer(2)]],
                   constant uint      &n [[buffer(3)]],
                   uint2 p [[thread_position_in_grid]],
                   uint2 t [[thread_position_in_threadgroup]]) {
  if (p.x >= n || p.y >= n) return;
  float sum = 0;
  for (uint k = 0; k < n; k++) sum += a[p.y * n + k] * b[k * n + p.x];
  c[p.y * n + p.x] = sum;
}
