// Places inside a group are given out by a counter in threadgroup memory, and
// what is written there depends on the place.
// run: --grid 64 --group 64 --arg x=float[64] --arg y=float[64]
// expect: schedule
#include <metal_stdlib>
using namespace metal;

kernel void partition(device const float *x [[buffer(0)]],
                      device float *y [[buffer(1)]],
                      uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint low, high;
  if (t == 0) {
    atomic_store_explicit(&low, 0u, memory_order_relaxed);
    atomic_store_explicit(&high, 0u, memory_order_relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float v = x[t];
  uint slot = v < 0.5f ? atomic_fetch_add_explicit(&low, 1u, memory_order_relaxed)
                       : 63 - atomic_fetch_add_explicit(&high, 1u, memory_order_relaxed);
#ifdef FIXED
  y[slot] = v;
#else
  y[slot] = slot % 2 ? -v : v;
#endif
}
