#include <metal_stdlib>
using namespace metal;

// c = a . b, one element per thread, in groups of 16 x 16. Right, but every
// thread reads a whole row and a whole column by itself.
kernel void matmul(device const float *a [[buffer(0)]],  // m rows of k
                   device const float *b [[buffer(1)]],  // k rows of n
                   device float       *c [[buffer(2)]],  // m rows of n
                   constant uint &m [[buffer(3)]],
                   constant uint &n [[buffer(4)]],
                   constant uint &k [[buffer(5)]],
                   uint2 at    [[thread_position_in_grid]],
                   uint2 local [[thread_position_in_threadgroup]]) {
  uint row = at.y, column = at.x;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (uint i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}
