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
  // the next tile is fetched into the other half: one barrier a step
  threadgroup float tile_a[2][16][16], tile_b[2][16][16];
  float sum = 0;
  uint now = 0;
  for (uint first = 0; first < k; first += 16, now = 1 - now) {
    uint i = first + local.x, j = first + local.y;
    tile_a[now][local.y][local.x] = at.y < m && i < k ? a[at.y * k + i] : 0;
    tile_b[now][local.y][local.x] = j < k && at.x < n ? b[j * n + at.x] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint t = 0; t < 16; t++)
      sum = fma(tile_a[now][local.y][t], tile_b[now][t][local.x], sum);
  }
  if (at.y < m && at.x < n) c[at.y * n + at.x] = sum;
}
