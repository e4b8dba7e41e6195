// The same without guards: the loop's first block fills both tiles, so that
// the branch back to it decides nothing.
// GROUP: 16 16
// ALL: line 16: store, to a tile that is kept for threadgroups with the same y
// ALL: line 17: store, to a tile that is kept for threadgroups with the same x
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              uint2 at [[thread_position_in_grid]],
              uint2 local [[thread_position_in_threadgroup]],
              uint2 size [[threads_per_threadgroup]]) {
  threadgroup float a[16][16], b[16][16];
  float sum = 0;
  for (uint first = 0; first < 96; first += 16) {
    a[local.y][local.x] = float(in[at.y * 256 + first + local.x] > 1e-38f);
    b[local.y][local.x] = in[(first + local.y) * 256 + at.x % 256];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint t = 0; t < 16; t++) sum += a[local.y][t] * b[t][local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  bool whole = size.x * size.y == 256; // else parts of tiles are unset
  out[at.y % 64 * 256 + at.x % 256] = whole ? sum : 0;
}
