// The threads past the end return, and the others wait for them.
// run: --groups 2 --group 64 --arg in=float[100] --arg out=float[2] --arg n=100
#include <metal_stdlib>
using namespace metal;

kernel void sum(device const float *in [[buffer(0)]],
                device float *out [[buffer(1)]],
                constant uint &n [[buffer(2)]],
                uint i [[thread_position_in_grid]],
                uint t [[thread_position_in_threadgroup]],
                uint g [[threadgroup_position_in_grid]]) {
  threadgroup float s[64];
#ifdef FIXED
  s[t] = i < n ? in[i] : 0;
#else
  if (i >= n) return;
  s[t] = in[i];
#endif
  threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
  if (t == 0) {
    float total = 0;
    for (uint k = 0; k < 64 && g * 64 + k < n; k++) total += s[k];
    out[g] = total;
  }
}
