#include <metal_stdlib>
using namespace metal;

kernel void keep(device const float *x [[buffer(0)]],
                 device float *y       [[buffer(1)]],
                 device uint *kept     [[buffer(2)]],
                 constant uint &n      [[buffer(3)]],
                 uint i    [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  float v = i < n ? x[i] : 0;
  uint place = 0, count = 0;
  for (ushort k = 0; k < 32; k++) { // a ballot does this at once
    uint keeps = simd_shuffle(uint(v > 0), k);
    count += keeps;
    if (k < lane) place += keeps;
  }
  if (v > 0) y[i - lane + place] = v;
  if (lane >= count && i < n) y[i] = 0;
  if (lane == 0 && i < n) kept[i / 32] = count;
}
