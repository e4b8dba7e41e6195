// 256 bins, 64 threads, and each thread zeroes one.
// run: --grid 64 --group 64 --arg x=uchar[64]:200..250 --arg out=uint[256]
#include <metal_stdlib>
using namespace metal;

kernel void histogram(device const uchar *x [[buffer(0)]],
                      device uint *out [[buffer(1)]],
                      uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint bins[256];
#ifdef FIXED
  for (uint b = t; b < 256; b += 64)
    atomic_store_explicit(&bins[b], 0u, memory_order_relaxed);
#else
  atomic_store_explicit(&bins[t], 0u, memory_order_relaxed);
#endif
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&bins[x[t]], 1u, memory_order_relaxed); // !uninitialised
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint b = t; b < 256; b += 64)
    out[b] = atomic_load_explicit(&bins[b], memory_order_relaxed); // !uninitialised
}
