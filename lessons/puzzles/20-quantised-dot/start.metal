#include <metal_stdlib>
using namespace metal;

// y[r] = the sum over blocks b of scale[r][b] * (a[r][b] . x[b]); blocks have
// 32 8-bit numbers. One SIMD-group for each row; a lane reads four at a time.
kernel void dot8(device const char4 *a     [[buffer(0)]],
                 device const float *scale [[buffer(1)]],
                 device const char4 *x     [[buffer(2)]],
                 device float       *y     [[buffer(3)]],
                 constant uint      &blocks [[buffer(4)]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint row  [[threadgroup_position_in_grid]]) {
  // your code
}
