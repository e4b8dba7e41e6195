#include <metal_stdlib>
using namespace metal;

kernel void group_scan(device const float *x [[buffer(0)]],
                       device float       *y [[buffer(1)]],
                       constant uint      &n [[buffer(2)]],
                       uint i [[thread_position_in_grid]],
                       uint t [[thread_position_in_threadgroup]]) {
  threadgroup atomic_float part[256];
  atomic_store_explicit(&part[t], 0.0f, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n)
    for (uint k = t; k < 256; k++)
      atomic_fetch_add_explicit(&part[k], x[i], memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) y[i] = atomic_load_explicit(&part[t], memory_order_relaxed);
}
