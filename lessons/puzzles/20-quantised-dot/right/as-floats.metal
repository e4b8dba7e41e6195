#include <metal_stdlib>
using namespace metal;

kernel void dot8(device const char4 *a     [[buffer(0)]],
                 device const float *scale [[buffer(1)]],
                 device const char4 *x     [[buffer(2)]],
                 device float       *y     [[buffer(3)]],
                 constant uint      &blocks [[buffer(4)]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint row  [[threadgroup_position_in_grid]]) {
  float sum = 0;
  for (uint k = lane; k < blocks * 8; k += 32)
    sum += scale[row * blocks + k / 8] *
           dot(float4(a[row * blocks * 8 + k]), float4(x[k]));
  sum = simd_sum(sum);
  if (lane == 0) y[row] = sum;
}
