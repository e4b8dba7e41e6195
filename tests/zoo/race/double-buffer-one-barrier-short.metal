// Two buffers take turns, but the barrier stands only in every second step.
// run: --grid 64 --group 64 --arg x=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void waves(device float *x [[buffer(0)]],
                  uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[2][64];
  s[0][t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 0; step < 6; step++) {
    uint from = step % 2, to = 1 - from;
    s[to][t] = 0.5f * (s[from][(t + 63) % 64] + s[from][(t + 1) % 64]); // !race
#ifdef FIXED
    threadgroup_barrier(mem_flags::mem_threadgroup);
#else
    if (step % 2 == 1) threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  }
  x[t] = s[0][t];
}
