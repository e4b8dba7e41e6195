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
  threadgroup float left[16][17], right[16][17];
  float sum = 0;
  uint steps = (k + 15) / 16;
  for (uint s = 0; s < steps; s++) {
    uint i = s * 16 + local.x, j = s * 16 + local.y;
    left[local.y][local.x] = 0;
    right[local.x][local.y] = 0;
    if (at.y < m && i < k) left[local.y][local.x] = a[at.y * k + i];
    if (at.x < n && j < k) right[local.x][local.y] = b[j * n + at.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint t = 0; t < 16; t++) sum += left[local.y][t] * right[local.x][t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (at.x < n && at.y < m) c[at.x + at.y * n] = sum;
}
