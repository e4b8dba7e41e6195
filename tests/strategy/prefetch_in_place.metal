// An inner loop has several addresses: its prefetches stay beside its loads.
// The tile is another in each group, and not kept.
// GROUP: 32 8
// ALL: load, contiguous
// ALL-NOT: prefetched after
// X86: prefetcht1
// NEON: prfm
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint2 at [[thread_position_in_grid]],
              uint thread_index [[thread_index_in_threadgroup]],
              uint2 size [[threads_per_threadgroup]]) {
  threadgroup float tile[2048];
  float factor = at.x % 2 + at.y % 2;
  float sum = 0;
  for (uint first = 0; first < n; first += 8) {
    for (uint e = thread_index; e < 2048; e += size.x * size.y)
      tile[e] = first + e / 256 < n ? factor * in[first * 256 + e] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint t = 0; t < 8; t++)
      sum = sum * 0.5f + tile[t * 256 + thread_index];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[at.y % 64 * 256 + at.x % 256] = sum;
}
