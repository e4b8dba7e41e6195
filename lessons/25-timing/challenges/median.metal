#include <metal_stdlib>
using namespace metal;

kernel void median(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   uint row  [[threadgroup_position_in_grid]],
                   uint lane [[thread_index_in_simdgroup]]) {
  float v = x[32 * row + lane];
  for (uint k = 2; k <= 32; k *= 2)
    for (uint j = k / 2; j > 0; j /= 2) {
      float other = simd_shuffle_xor(v, ushort(j));
      bool is_low = (lane & j) == 0, is_rising = (lane & k) == 0;
      v = is_low == is_rising ? min(v, other) : max(v, other);
    }
  float middle = simd_shuffle(v, 15) + simd_shuffle(v, 16);
  if (lane == 0) y[row] = middle / 2;
}
