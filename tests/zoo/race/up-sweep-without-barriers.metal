// The steps of an up-sweep read what other threads wrote in the step before.
// run: --grid 32 --group 32 --arg x=int[64] --arg y=int[64]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const int *x, device int *y, uint t [[thread_position_in_threadgroup]]) {
  threadgroup int s[64];
  s[2 * t] = x[2 * t];
  s[2 * t + 1] = x[2 * t + 1];
  for (uint d = 32, o = 1; d > 0; d /= 2, o *= 2) {
#ifdef FIXED
    threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
    if (t < d) s[o * (2 * t + 2) - 1] += s[o * (2 * t + 1) - 1]; // !race
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[2 * t] = s[2 * t];
  y[2 * t + 1] = s[2 * t + 1];
}
