// The tree starts at 128, but the group has 100 threads.
// run: --grid 100 --group 100 --arg x=float[100] --arg out=float[1]
#include <metal_stdlib>
using namespace metal;

kernel void sum(device const float *x [[buffer(0)]],
                device float *out [[buffer(1)]],
                uint t [[thread_position_in_threadgroup]],
                uint size [[threads_per_threadgroup]]) {
  threadgroup float s[256];
  s[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint n = 128; n > 0; n /= 2) {
#ifdef FIXED
    if (t < n && t + n < size) s[t] += s[t + n];
#else
    if (t < n) s[t] += s[t + n]; // !uninitialised
#endif
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) out[0] = s[0];
}
