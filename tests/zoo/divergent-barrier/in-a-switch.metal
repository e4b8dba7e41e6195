// A barrier in one case of a switch over the thread's role.
// run: --grid 96 --group 96 --arg x=float[96] --arg y=float[96]
#include <metal_stdlib>
using namespace metal;

kernel void roles(device const float *x [[buffer(0)]],
                  device float *y [[buffer(1)]],
                  uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[96];
  float v = x[t];
  switch (t % 3) {
    case 0: v *= 2; break;
    case 1:
      s[t] = v;
#ifndef FIXED
      threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
#endif
      break;
    default: v -= 1; break;
  }
  s[t] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
  y[t] = s[95 - t];
}
