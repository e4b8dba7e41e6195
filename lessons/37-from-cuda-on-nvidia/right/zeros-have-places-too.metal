#include <metal_stdlib>
using namespace metal;

kernel void keep(device const float *x [[buffer(0)]],
                 device float *y       [[buffer(1)]],
                 device uint *kept     [[buffer(2)]],
                 constant uint &n      [[buffer(3)]],
                 uint i    [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  bool in = i < n, plus = in && x[min(i, n - 1)] > 0;
  uint count = simd_sum(uint(plus));
  uint before = simd_prefix_exclusive_sum(uint(plus));
  uint place = plus ? before : count + lane - before; // all lanes write once
  if (i < n) y[i - lane + place] = plus ? x[i] : 0;
  if (lane == 0 && in) kept[i / 32] = count;
}
