// Attention over tiles of keys: the next tile is loaded while others still use
// the one before.
// run: --grid 64 --group 64 --arg q=float[2048] --arg keys=float[2048] --arg o=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void scores(device const float *q [[buffer(0)]],
                   device const float *keys [[buffer(1)]],
                   device float *o [[buffer(2)]],
                   uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[16 * 32];
  float most = -INFINITY;
  for (uint first = 0; first < 2048; first += 512) {
    for (uint e = t; e < 512; e += 64) tile[e] = keys[first + e]; // !race
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < 16; k++) {
      float s = 0;
      for (uint c = 0; c < 32; c++)
        s += q[t * 32 + c] * tile[k * 32 + c]; // !race
      most = max(most, s);
    }
#ifdef FIXED
    threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  }
  o[t] = most;
}
