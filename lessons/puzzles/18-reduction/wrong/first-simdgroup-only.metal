#include <metal_stdlib>
using namespace metal;

kernel void total(device const int  *x   [[buffer(0)]],
                  device atomic_int *sum [[buffer(1)]],
                  constant uint     &n   [[buffer(2)]],
                  uint t    [[thread_position_in_threadgroup]],
                  uint g    [[threadgroup_position_in_grid]],
                  uint lane [[thread_index_in_simdgroup]],
                  uint simd [[simdgroup_index_in_threadgroup]]) {
  int mine = 0;
  for (uint k = 0; k < 4; k++) {
    uint i = g * 1024 + k * 256 + t;
    if (i < n) mine += x[i];
  }
  mine = simd_sum(mine);
  if (t == 0) atomic_fetch_add_explicit(sum, mine, memory_order_relaxed);
}
