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
  threadgroup float tile_a[256], tile_b[256];
  uint t = local.y * 16 + local.x;
  float sum = 0;
  for (uint first = 0; first < k; first += 16) {
    uint length = min(16u, k - first);
    if (at.y < m && local.x < length) tile_a[t] = a[at.y * k + first + local.x];
    if (at.x < n && local.y < length)
      tile_b[t] = b[(first + local.y) * n + at.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (at.y < m && at.x < n)
      for (uint s = 0; s < length; s++)
        sum += tile_a[local.y * 16 + s] * tile_b[s * 16 + local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (at.y < m && at.x < n) c[at.y * n + at.x] = sum;
}
