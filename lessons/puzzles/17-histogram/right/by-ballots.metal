#include <metal_stdlib>
using namespace metal;

kernel void histogram(device const uchar *x    [[buffer(0)]],
                      device atomic_uint *bins [[buffer(1)]],
                      constant uint      &n    [[buffer(2)]],
                      uint i [[thread_position_in_grid]],
                      uint t [[thread_position_in_threadgroup]]) {
  threadgroup atomic_uint mine[16];
  if (t < 16) atomic_store_explicit(&mine[t], 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint bin = i < n ? x[i] >> 4 : 16;
  if (bin < 16) atomic_fetch_add_explicit(&mine[bin], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 16)
    atomic_fetch_add_explicit(
        &bins[t], atomic_load_explicit(&mine[t], memory_order_relaxed),
        memory_order_relaxed);
}
