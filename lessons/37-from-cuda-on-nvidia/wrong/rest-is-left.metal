#include <metal_stdlib>
using namespace metal;

kernel void keep(device const float *x [[buffer(0)]],
                 device float *y       [[buffer(1)]],
                 device uint *kept     [[buffer(2)]],
                 constant uint &n      [[buffer(3)]],
                 uint i    [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  float v = i < n ? x[i] : 0;
  uint place = simd_prefix_exclusive_sum(uint(v > 0));
  uint count = simd_sum(uint(v > 0));
  if (v > 0) y[i - lane + place] = v;
  if (lane == 0 && i < n) kept[i / 32] = count;
}
