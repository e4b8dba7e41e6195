// Only thread 0 comes to the barrier that is meant to make the others wait.
// run: --grid 64 --group 64 --arg x=float[64] --arg y=float[64]
// also: race
#include <metal_stdlib>
using namespace metal;

kernel void offset(device const float *x [[buffer(0)]],
                   device float *y [[buffer(1)]],
                   uint t [[thread_index_in_threadgroup]]) {
  threadgroup float first;
#ifdef FIXED
  if (t == 0) first = x[0];
  threadgroup_barrier(mem_flags::mem_threadgroup);
#else
  if (t == 0) {
    first = x[0];
    threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
  }
#endif
  y[t] = x[t] - first;
}
