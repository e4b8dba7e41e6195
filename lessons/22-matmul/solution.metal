#include <metal_stdlib>
using namespace metal;

kernel void matmul(device const float *a [[buffer(0)]],  // m rows of k
                   device const float *b [[buffer(1)]],  // k rows of n
                   device float       *c [[buffer(2)]],  // m rows of n
                   constant uint &m [[buffer(3)]],
                   constant uint &n [[buffer(4)]],
                   constant uint &k [[buffer(5)]],
                   uint2 at    [[thread_position_in_grid]],
                   uint2 local [[thread_position_in_threadgroup]]) {
  uint row = at.y, column = at.x;
  threadgroup float tile_a[16][16];
  threadgroup float tile_b[16][16];
  float sum = 0;
  for (uint first = 0; first < k; first += 16) {
    uint i = first + local.x, j = first + local.y;
    tile_a[local.y][local.x] = row < m && i < k ? a[row * k + i] : 0;
    tile_b[local.y][local.x] = j < k && column < n ? b[j * n + column] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint t = 0; t < 16; t++)
      sum += tile_a[local.y][t] * tile_b[t][local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
