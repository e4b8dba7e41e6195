// Counts in threadgroup memory start from whatever was there.
// run: --grid 256 --group 128 --arg x=uchar[256]:0..16 --arg bins=uint[16]:zero
#include <metal_stdlib>
using namespace metal;

kernel void histogram(device const uchar *x [[buffer(0)]],
                      device atomic_uint *bins [[buffer(1)]],
                      uint i [[thread_position_in_grid]],
                      uint t [[thread_position_in_threadgroup]]) {
  threadgroup atomic_uint local[16];
#ifdef FIXED
  if (t < 16) atomic_store_explicit(&local[t], 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  atomic_fetch_add_explicit(&local[x[i]], 1u, memory_order_relaxed); // !uninitialised
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 16)
    atomic_fetch_add_explicit(&bins[t],
        atomic_load_explicit(&local[t], memory_order_relaxed), // !uninitialised
        memory_order_relaxed);
}
