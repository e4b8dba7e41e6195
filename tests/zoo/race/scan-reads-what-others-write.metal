// Hillis and Steele's scan in one array: adding in place while a neighbour reads.
// run: --grid 128 --group 128 --arg x=uint[128]:0..10
#include <metal_stdlib>
using namespace metal;

kernel void scan(device uint *x [[buffer(0)]],
                 uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint s[128];
  s[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint d = 1; d < 128; d *= 2) {
#ifdef FIXED
    uint before = t >= d ? s[t - d] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    s[t] += before;
#else
    if (t >= d) s[t] += s[t - d]; // !race
#endif
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  x[t] = s[t];
}
