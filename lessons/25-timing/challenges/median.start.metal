#include <metal_stdlib>
using namespace metal;

kernel void median(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   uint row  [[threadgroup_position_in_grid]],
                   uint lane [[thread_index_in_simdgroup]]) {
  device const float *all = x + 32 * row;
  float v = all[lane];
  uint before = 0; // how many come before this one
  for (uint k = 0; k < 32; k++)
    before += all[k] < v || (all[k] == v && k < lane);
  float middle = simd_sum(before == 15 || before == 16 ? v : 0);
  if (lane == 0) y[row] = middle / 2;
}
