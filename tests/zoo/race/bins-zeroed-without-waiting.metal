// The bins are set to zero atomically, and nobody waits for that.
// run: --grid 64 --group 64 --arg x=uint[64] --arg o=uint[16]
// expect: race uninitialised
#include <metal_stdlib>
using namespace metal;

kernel void k(device const uint *x, device uint *o, uint t [[thread_position_in_threadgroup]]) {
  threadgroup atomic_uint h[16];
  if (t < 16) atomic_store_explicit(&h[t], 0, memory_order_relaxed); // !race
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  atomic_fetch_add_explicit(&h[x[t] % 16], 1, memory_order_relaxed); // !race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 16) o[t] = atomic_load_explicit(&h[t], memory_order_relaxed);
}
