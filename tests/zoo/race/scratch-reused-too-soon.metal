// Softmax: the scratch array is reused for the sum while slow threads still read
// the maximum from it.
// run: --grid 128 --group 128 --arg x=float[128] --arg y=float[128]
#include <metal_stdlib>
using namespace metal;

kernel void softmax(device const float *x [[buffer(0)]],
                    device float *y [[buffer(1)]],
                    uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[128];
  s[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint n = 64; n > 0; n /= 2) {
    if (t < n) s[t] = max(s[t], s[t + n]);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  float most = s[0]; // !race
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  float e = exp(x[t] - most);
  s[t] = e; // !race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint n = 64; n > 0; n /= 2) {
    if (t < n) s[t] += s[t + n];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  y[t] = e / s[0];
}
