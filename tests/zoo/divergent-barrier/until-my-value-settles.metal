// Each thread leaves the loop when its own value is small enough.
// run: --grid 32 --group 32 --arg x=float[32]:iota
#include <metal_stdlib>
using namespace metal;

kernel void settle(device float *x [[buffer(0)]],
                   uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[32];
  float v = x[t];
#ifdef FIXED
  for (uint step = 0; step < 8; step++) {
    s[t] = v;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (v > 1) v = 0.5f * min(v, s[(t + 1) % 32] + 1);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
#else
  while (v > 1) {
    s[t] = v;
    threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
    v = 0.5f * v;
  }
#endif
  x[t] = v;
}
