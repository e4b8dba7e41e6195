#include <metal_stdlib>
using namespace metal;

// sum[0] += all elements of x, in one launch. sum holds 0 before. Groups of
// 256, each of which takes 1024 elements and does one atomic.
kernel void total(device const int  *x   [[buffer(0)]],
                  device atomic_int *sum [[buffer(1)]],
                  constant uint     &n   [[buffer(2)]],
                  uint t    [[thread_position_in_threadgroup]],
                  uint g    [[threadgroup_position_in_grid]],
                  uint lane [[thread_index_in_simdgroup]],
                  uint simd [[simdgroup_index_in_threadgroup]]) {
  // your code
}
