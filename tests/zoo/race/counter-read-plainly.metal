// The count is kept with atomics, and looked at without.
// run: --grid 128 --group 128 --arg x=float[128] --arg out=uint[128]
#include <metal_stdlib>
using namespace metal;

kernel void rank_of_positive(device const float *x [[buffer(0)]],
                             device uint *out [[buffer(1)]],
                             uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint count;
  if (t == 0) atomic_store_explicit(&count, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (x[t] > 0.5f)
    atomic_fetch_add_explicit(&count, 1u, memory_order_relaxed); // !race
#ifdef FIXED
  threadgroup_barrier(mem_flags::mem_threadgroup);
#endif
  threadgroup uint *plain = (threadgroup uint *)&count;
  out[t] = *plain; // !race
}
