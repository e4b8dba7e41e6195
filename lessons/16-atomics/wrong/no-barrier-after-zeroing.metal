#include <metal_stdlib>
using namespace metal;

kernel void count_bytes(device const uchar *data [[buffer(0)]],
                        device atomic_uint *counts [[buffer(1)]],
                        constant uint &n [[buffer(2)]],
                        uint t [[thread_position_in_threadgroup]],
                        uint g [[threadgroup_position_in_grid]]) {
  threadgroup atomic_uint mine[256];
  atomic_store_explicit(&mine[t], 0u, memory_order_relaxed);
  for (uint i = g * 1024 + t; i < min(n, g * 1024 + 1024); i += 256)
    atomic_fetch_add_explicit(&mine[data[i]], 1u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint count = atomic_load_explicit(&mine[t], memory_order_relaxed);
  if (count > 0)
    atomic_fetch_add_explicit(&counts[t], count, memory_order_relaxed);
}
