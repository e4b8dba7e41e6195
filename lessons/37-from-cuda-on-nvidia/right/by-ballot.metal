#include <metal_stdlib>
using namespace metal;

kernel void keep(device const float *x [[buffer(0)]],
                 device float *y       [[buffer(1)]],
                 device uint *kept     [[buffer(2)]],
                 constant uint &n      [[buffer(3)]],
                 uint i    [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  float v = i < n ? x[i] : 0;
  uint mask = uint((simd_vote::vote_t)simd_ballot(v > 0));
  uint place = popcount(mask & ((1u << lane) - 1)), count = popcount(mask);
  if (v > 0) y[i - lane + place] = v;
  if (lane >= count && i < n) y[i] = 0;
  if (simd_is_first() && i < n) kept[i / 32] = count;
}
