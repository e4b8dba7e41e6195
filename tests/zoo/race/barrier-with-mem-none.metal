// A barrier that orders no memory.
// run: --grid 96 --group 96 --arg x=float[96] --arg y=float[96]
#include <metal_stdlib>
using namespace metal;

kernel void reverse(device const float *x [[buffer(0)]],
                    device float *y [[buffer(1)]],
                    uint t [[thread_position_in_threadgroup]],
                    uint size [[threads_per_threadgroup]]) {
  threadgroup float s[96];
  s[t] = x[t]; // !race
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_threadgroup);
#else
  threadgroup_barrier(mem_flags::mem_none);
#endif
  y[t] = s[size - 1 - t]; // !race
}
