#include <metal_stdlib>
using namespace metal;

// How often does each of the 256 values of a byte occur? Each threadgroup
// counts in its own bins in threadgroup memory, where atomic additions are
// cheap, and adds its bins to the common ones, which must be 0, at the end.
kernel void histogram(device const uchar *x    [[buffer(0)]],
                      device atomic_uint *bins [[buffer(1)]],
                      constant uint      &n    [[buffer(2)]],
                      uint i       [[thread_position_in_grid]],
                      uint threads [[threads_per_grid]],
                      uint t       [[thread_position_in_threadgroup]],
                      uint size    [[threads_per_threadgroup]]) {
  threadgroup atomic_uint own[256];
  for (uint b = t; b < 256; b += size)
    atomic_store_explicit(&own[b], 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint j = i; j < n; j += threads)
    atomic_fetch_add_explicit(&own[x[j]], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint b = t; b < 256; b += size) {
    uint count = atomic_load_explicit(&own[b], memory_order_relaxed);
    if (count) atomic_fetch_add_explicit(&bins[b], count, memory_order_relaxed);
  }
}
