// Two halves of a group meet at two different barriers.
// run: --grid 64 --group 64 --arg a=float[64] --arg b=float[64] --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void mix_halves(device const float *a [[buffer(0)]],
                       device const float *b [[buffer(1)]],
                       device float *out [[buffer(2)]],
                       uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
#ifdef FIXED
  s[t] = t < 32 ? a[t] : b[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
#else
  if (t < 32) {
    s[t] = a[t];
    threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
  } else {
    s[t] = b[t];
    threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
  }
#endif
  out[t] = s[63 - t];
}
