// A product by tiles of 32 x 32: what one tile gets is the same for all
// threadgroups of a row, what the other one gets for those of a column.
// GROUP: 32 32
// ALL: line 19: store, to a tile that is kept for threadgroups with the same y
// ALL: line 20: store, to a tile that is kept for threadgroups with the same x
// ALL-NOT: prefetched after the barrier
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint2 at [[thread_position_in_grid]],
              uint2 local [[thread_position_in_threadgroup]],
              uint2 size [[threads_per_threadgroup]]) {
  threadgroup float a[32][32], b[32][32];
  float sum = 0;
  for (uint first = 0; first < 4 * n; first += 32) {
    uint i = first + local.x, j = first + local.y;
    a[local.y][local.x] = i < 4 * n ? float(in[at.y * 256 + i] > 1e-38f) : 0;
    b[local.y][local.x] = j < 4 * n ? in[j * 256 + at.x % 256] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint t = 0; t < 32; t++) sum += a[local.y][t] * b[t][local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  bool whole = size.x * size.y == 1024; // else parts of tiles are unset
  out[at.y % 64 * 256 + at.x % 256] = whole ? sum : 0;
}
