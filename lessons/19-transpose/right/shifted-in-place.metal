#include <metal_stdlib>
using namespace metal;

kernel void transpose(device const float *a [[buffer(0)]],
                      device float       *b [[buffer(1)]],
                      constant uint &rows    [[buffer(2)]],  // of a
                      constant uint &columns [[buffer(3)]],  // of a
                      uint2 local [[thread_position_in_threadgroup]],
                      uint2 group [[threadgroup_position_in_grid]]) {
  // no padding: each row begins one bank further
  threadgroup float tile[32][32];
  for (uint r = local.y; r < 32; r += 8) {
    uint x = group.x * 32 + local.x, y = group.y * 32 + r;
    if (x < columns && y < rows)
      tile[r][(local.x + r) % 32] = a[y * columns + x];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint r = local.y; r < 32; r += 8) {
    uint x = group.y * 32 + local.x, y = group.x * 32 + r;
    if (x < rows && y < columns)
      b[y * rows + x] = tile[local.x][(r + local.x) % 32];
  }
}
