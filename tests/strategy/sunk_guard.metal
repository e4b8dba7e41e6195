// A guard of positions that is the same in every iteration of a loop with
// barriers: scalars decide in the loop, not a mask from before it.
// GROUP: 32 8
// ALL: branch, divergent, tested on scalars first
// ALL-NOT: one side
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint2 at [[thread_position_in_grid]],
              uint2 local [[thread_position_in_threadgroup]]) {
  threadgroup float tile[8][32];
  uint rows = 5 * n;
  float sum = 0;
  for (uint first = 0; first < n; first += 8) {
    uint j = first + local.y;
    tile[local.y][local.x] = j < n && at.x < rows ? in[j * 256 + at.x] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint t = 0; t < 8; t++) sum = sum * 0.5f + tile[t][local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[at.y % 64 * 256 + at.x % 256] = sum;
}
