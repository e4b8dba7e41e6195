// A tile that is loaded between two barriers of a loop, and is another in each
// group: what the next iteration loads is prefetched where this one computes.
// GROUP: 32 8
// ALL: line 22: load, prefetched after the barrier for the next iteration
// X86: prefetcht1
// NEON: prfm
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint2 at [[thread_position_in_grid]],
              uint2 local [[thread_position_in_threadgroup]],
              uint2 group [[threadgroup_position_in_grid]],
              uint2 size [[threads_per_threadgroup]]) {
  threadgroup float tile[8][32];
  uint x = group.x * 32 + local.x, more = group.y;
  float sum = 0;
  for (uint first = 0; first < n; first += 8) {
    uint row = first + local.y;
    tile[local.y][local.x] =
        row < n && x < 256 ? in[row * 256 + x] + more : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint t = 0; t < size.y; t++) sum = sum * 0.5f + tile[t][local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[at.y % 64 * 256 + at.x % 256] = sum;
}
