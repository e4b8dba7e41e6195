// The tree starts before all threads have put their value down.
// run: --grid 256 --group 128 --arg in=float[256] --arg out=float[2]
#include <metal_stdlib>
using namespace metal;

kernel void sum(device const float *in [[buffer(0)]],
                device float *out [[buffer(1)]],
                uint i [[thread_position_in_grid]],
                uint t [[thread_position_in_threadgroup]],
                uint g [[threadgroup_position_in_grid]]) {
  threadgroup float part[128];
  part[t] = in[i]; // !race
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  for (uint n = 64; n > 0; n /= 2) {
    if (t < n) part[t] += part[t + n]; // !race
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) out[g] = part[0];
}
