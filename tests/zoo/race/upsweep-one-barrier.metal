// Blelloch's scan: the down-sweep swaps values with no barrier between levels.
// run: --grid 32 --group 32 --arg x=uint[64]:0..9
#include <metal_stdlib>
using namespace metal;

kernel void blelloch(device uint *x [[buffer(0)]],
                     uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint s[64];
  s[2 * t] = x[2 * t];
  s[2 * t + 1] = x[2 * t + 1];
  uint offset = 1;
  for (uint d = 32; d > 0; d >>= 1) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) s[63] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint d = 1; d < 64; d *= 2) {
    offset >>= 1;
    if (t < d) {
      uint a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      uint v = s[a]; // !race
      s[a] = s[b]; // !race
      s[b] += v; // !race
    }
#ifdef FIXED
    threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[2 * t] = s[2 * t];
  x[2 * t + 1] = s[2 * t + 1];
}
