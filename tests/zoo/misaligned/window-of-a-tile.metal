// A window of four is read as a float4 wherever it starts.
// run: --grid 32 --group 32 --arg a=float[32] --arg o=float[32]
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float *a, device float *o, uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[40];
  s[t] = a[t];
  if (t < 8) s[32 + t] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
#ifdef FIXED
  o[t] = s[t] + s[t + 3];
#else
  float4 v = *(threadgroup float4 *)&s[t]; // !misaligned
  o[t] = v.x + v.w;
#endif
}
