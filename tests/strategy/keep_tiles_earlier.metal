// The same, but an iteration reads what the one before has stored, too.
// GROUP: 32 32
// AVX512: load, prefetched after the barrier for the next iteration
// ALL-NOT: a tile that is kept
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint2 at [[thread_position_in_grid]],
              uint2 local [[thread_position_in_threadgroup]],
              uint2 size [[threads_per_threadgroup]]) {
  threadgroup float a[32][32];
  float sum = 0;
  for (uint first = 0; first < 4 * n; first += 32) {
    uint i = first + local.x;
    if (first > 0) sum += a[local.x][local.y];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    a[local.y][local.x] = i < 4 * n ? in[at.y * 256 + i] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint t = 0; t < 32; t++) sum += a[local.y][t] * a[t][local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  bool whole = size.x * size.y == 1024; // else parts of tiles are unset
  out[at.y % 64 * 256 + at.x % 256] = whole ? sum : 0;
}
