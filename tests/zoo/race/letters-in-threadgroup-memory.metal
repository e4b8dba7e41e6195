// A count in threadgroup memory is as shared as one in device memory.
// run: --grid 64 --group 64 --arg text=uchar[64]:97..101 --arg counts=int[4]:undefined
#include <metal_stdlib>
using namespace metal;

kernel void letters(device const uchar *text [[buffer(0)]],
                    device int *counts [[buffer(1)]],
                    uint t [[thread_index_in_threadgroup]]) {
  threadgroup int count[4];
  if (t < 4) count[t] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
#ifdef FIXED
  threadgroup atomic_int *c = (threadgroup atomic_int *)count;
  atomic_fetch_add_explicit(&c[text[t] - 'a'], 1, memory_order_relaxed);
#else
  count[text[t] - 'a'] += 1; // !race
#endif
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 4) counts[t] = count[t];
}
