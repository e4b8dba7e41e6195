// section: 6.15 Atomic Functions
// construct: atomics in threadgroup memory: a histogram
// grid: 64
// group: 64
// in: a uint 0 1 4 1 0 1 4 1 0 1 4 1 0 1 4 1 0 1 4 1 0 1 4 1 0 1 4 1 0 1 4 1 0 1 4 1 0 1 4 1 0 1
//   4 1 0 1 4 1 0 1 4 1 0 1 4 1 0 1 4 1 0 1 4 1
// out: out uint 16 32 0 0 16 0 0 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]], device uint *out [[buffer(1)]],
                 uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint bins[8];
  if (t < 8) atomic_store_explicit(&bins[t], 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&bins[a[t]], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 8) out[t] = atomic_load_explicit(&bins[t], memory_order_relaxed);
}
