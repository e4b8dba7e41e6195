#include <metal_stdlib>
using namespace metal;

// c = a · b, one element of c per thread. a has m rows of k, b has k rows of n.
// Every thread reads a whole row of a and a whole column of b: each element of
// a is fetched n times, each of b m times. Caches hide some of it.
kernel void matmul_naive(device const float *a [[buffer(0)]],
                         device const float *b [[buffer(1)]],
                         device float       *c [[buffer(2)]],
                         constant uint &m [[buffer(3)]],
                         constant uint &n [[buffer(4)]],
                         constant uint &k [[buffer(5)]],
                         uint2 at [[thread_position_in_grid]]) {
  uint column = at.x, row = at.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (uint i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}
