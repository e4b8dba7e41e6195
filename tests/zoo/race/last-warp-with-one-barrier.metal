// The last steps of a sum with a barrier of the SIMD-group behind each, as CUDA's
// __syncwarp: lane t reads s[t + o] while lane t + o writes it.
// run: --grid 32 --group 32 --arg in=float[64] --arg out=float[1]
#include <metal_stdlib>
using namespace metal;

kernel void last_warp(device const float *in [[buffer(0)]],
                      device float *out [[buffer(1)]],
                      uint t [[thread_index_in_threadgroup]]) {
  threadgroup float s[64];
  s[t] = in[t];
  s[t + 32] = in[t + 32];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint o = 32; o > 0; o /= 2) {
#ifdef FIXED
    float x = s[t + o];
    simdgroup_barrier(mem_flags::mem_threadgroup);
    s[t] += x;
#else
    s[t] += s[t + o]; // !race
#endif
    simdgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) out[0] = s[0];
}
