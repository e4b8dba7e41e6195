// simdgroup_barrier waits for 32 threads, and the data comes from all 128.
// run: --grid 128 --group 128 --arg x=float[128] --arg y=float[128]
#include <metal_stdlib>
using namespace metal;

kernel void shuffle(device const float *x [[buffer(0)]],
                    device float *y [[buffer(1)]],
                    uint t [[thread_position_in_threadgroup]]) {
  threadgroup float s[128];
  s[t] = x[t]; // !race
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_threadgroup);
#else
  simdgroup_barrier(mem_flags::mem_threadgroup);
#endif
  y[t] = s[(t * 37 + 64) % 128]; // !race
}
