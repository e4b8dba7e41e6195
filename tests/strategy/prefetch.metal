// In a loop with barriers the next tile is prefetched while this one is used.
// X86: prefetch
// NEON: prfm
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint tile[256];
  uint s = 0;
  for (uint k = 0; k < n; k++) {
    tile[t] = in[k * 256u + t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    s += tile[255u - t] * 3u ^ tile[(t + 1u) & 255u];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[i] = s;
}
