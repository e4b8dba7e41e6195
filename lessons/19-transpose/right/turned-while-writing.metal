#include <metal_stdlib>
using namespace metal;

kernel void transpose(device const float *a [[buffer(0)]],
                      device float       *b [[buffer(1)]],
                      constant uint &rows    [[buffer(2)]],  // of a
                      constant uint &columns [[buffer(3)]],  // of a
                      uint2 local [[thread_position_in_threadgroup]],
                      uint2 group [[threadgroup_position_in_grid]]) {
  // picked up by rows, laid down by columns
  threadgroup float tile[32][33];
  for (uint k = 0; k < 4; k++) {
    uint r = local.y + 8 * k;
    uint2 at = group * 32 + uint2(local.x, r);
    if (all(at < uint2(columns, rows)))
      tile[local.x][r] = a[at.y * columns + at.x];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 0; k < 4; k++) {
    uint r = local.y + 8 * k;
    uint2 at = group.yx * 32 + uint2(local.x, r);
    if (all(at < uint2(rows, columns)))
      b[at.y * rows + at.x] = tile[r][local.x];
  }
}
