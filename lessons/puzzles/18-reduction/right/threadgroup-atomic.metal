#include <metal_stdlib>
using namespace metal;

kernel void total(device const int  *x   [[buffer(0)]],
                  device atomic_int *sum [[buffer(1)]],
                  constant uint     &n   [[buffer(2)]],
                  uint t    [[thread_position_in_threadgroup]],
                  uint g    [[threadgroup_position_in_grid]],
                  uint lane [[thread_index_in_simdgroup]],
                  uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup atomic_int all;
  if (t == 0) atomic_store_explicit(&all, 0, memory_order_relaxed);
  int mine = 0;
  for (uint i = g * 1024 + t; i < min(n, g * 1024 + 1024); i += 256)
    mine += x[i];
  mine = simd_sum(mine);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lane == 0) atomic_fetch_add_explicit(&all, mine, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0)
    atomic_fetch_add_explicit(sum,
                              atomic_load_explicit(&all, memory_order_relaxed),
                              memory_order_relaxed);
}
