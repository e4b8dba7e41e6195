// Each thread goes round the loop as often as its own number says.
// run: --grid 48 --group 48 --arg out=int[48]
#include <metal_stdlib>
using namespace metal;

kernel void triangle(device int *out [[buffer(0)]],
                     uint t [[thread_position_in_threadgroup]]) {
  threadgroup int line[48];
  line[t] = 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  int sum = 0;
#ifdef FIXED
  for (uint k = 0; k < 48; k++) {
    if (k <= t) sum += line[k];
#else
  for (uint k = 0; k <= t; k++) {
    sum += line[k];
#endif
    threadgroup_barrier(mem_flags::mem_threadgroup); // !divergent-barrier
  }
  out[t] = sum;
}
