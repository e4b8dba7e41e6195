// The barrier stands inside "if (t < n)".
// run: --grid 64 --group 64 --arg in=float[64] --arg out=float[1]
#include <metal_stdlib>
using namespace metal;

kernel void sum(device const float *in [[buffer(0)]],
                device float *out [[buffer(1)]],
                uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[64];
  s[t] = in[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint n = 32; n > 0; n /= 2) {
#ifdef FIXED
    if (t < n) s[t] += s[t + n];
    threadgroup_barrier(mem_flags::mem_threadgroup);
#else
    if (t < n) {
      s[t] += s[t + n];
      threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
    }
#endif
  }
  if (t == 0) out[0] = s[0];
}
