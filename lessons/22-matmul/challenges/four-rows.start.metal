#include <metal_stdlib>
using namespace metal;

kernel void matmul(device const float *a [[buffer(0)]],
                   device const float *b [[buffer(1)]],
                   device float       *c [[buffer(2)]],
                   constant uint &m [[buffer(3)]],
                   constant uint &n [[buffer(4)]],
                   constant uint &k [[buffer(5)]],
                   uint2 group [[threadgroup_position_in_grid]],
                   uint2 local [[thread_position_in_threadgroup]]) {
  threadgroup float tile_a[16][16], tile_b[16][16];
  uint column = group.x * 16 + local.x;
  float sum[4] = {};
  for (uint first = 0; first < k; first += 16) {
    for (uint r = local.y; r < 16; r += 4) {
      uint row = group.y * 16 + r, i = first + local.x, j = first + r;
      tile_a[r][local.x] = row < m && i < k ? a[row * k + i] : 0;
      tile_b[r][local.x] = j < k && column < n ? b[j * n + column] : 0;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint r = 0; r < 4; r++) {
      float part = 0;
      for (uint t = 0; t < 16; t++)
        part += tile_a[local.y + 4 * r][t] * tile_b[t][local.x];
      sum[r] += part;
      simdgroup_barrier(mem_flags::mem_threadgroup);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  for (uint r = 0; r < 4; r++) {
    uint row = group.y * 16 + local.y + 4 * r;
    if (row < m && column < n) c[row * n + column] = sum[r];
  }
}
