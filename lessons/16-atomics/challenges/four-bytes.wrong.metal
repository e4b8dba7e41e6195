// wrong: three of four bytes
#include <metal_stdlib>
using namespace metal;

kernel void count_bytes(device const uchar4 *data [[buffer(0)]],
                        device atomic_uint *counts [[buffer(1)]],
                        constant uint &n [[buffer(2)]],
                        uint i [[thread_position_in_grid]],
                        uint t [[thread_position_in_threadgroup]]) {
  threadgroup atomic_uint mine[256];
  atomic_store_explicit(&mine[t], 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n / 4) {
    uchar4 v = data[i];
    for (uint k = 0; k < 3; k++)
      atomic_fetch_add_explicit(&mine[v[k]], 1u, memory_order_relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint count = atomic_load_explicit(&mine[t], memory_order_relaxed);
  if (count > 0)
    atomic_fetch_add_explicit(&counts[t], count, memory_order_relaxed);
}
