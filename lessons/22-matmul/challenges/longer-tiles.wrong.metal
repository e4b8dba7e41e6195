// wrong: the next tile is fetched too early
#include <metal_stdlib>
using namespace metal;

kernel void matmul(device const float *a [[buffer(0)]],
                   device const float *b [[buffer(1)]],
                   device float       *c [[buffer(2)]],
                   constant uint &m [[buffer(3)]],
                   constant uint &n [[buffer(4)]],
                   constant uint &k [[buffer(5)]],
                   uint2 at    [[thread_position_in_grid]],
                   uint2 local [[thread_position_in_threadgroup]]) {
  uint row = at.y, column = at.x;
  threadgroup float tile_a[16][32], tile_b[32][16];
  float sum = 0;
  for (uint first = 0; first < k; first += 32) {
    for (uint half_way = 0; half_way < 32; half_way += 16) {
      uint i = first + half_way + local.x, j = first + half_way + local.y;
      tile_a[local.y][half_way + local.x] =
          row < m && i < k ? a[row * k + i] : 0;
      tile_b[half_way + local.y][local.x] =
          j < k && column < n ? b[j * n + column] : 0;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint t = 0; t < 32; t++)
      sum += tile_a[local.y][t] * tile_b[t][local.x];
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
