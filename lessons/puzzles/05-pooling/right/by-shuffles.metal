#include <metal_stdlib>
using namespace metal;

kernel void pool(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 constant uint      &n [[buffer(2)]],
                 uint i    [[thread_position_in_grid]],
                 uint lane [[thread_index_in_simdgroup]]) {
  float mine = i < n ? x[i] : -INFINITY;
  float one = simd_shuffle_up(mine, 1), two = simd_shuffle_up(mine, 2);
  // the lanes at the front find theirs in memory; lane 1 has its neighbour
  float before = lane < 2 && i >= 2 && i - 2 < n ? x[i - 2] : -INFINITY;
  float from_next = simd_shuffle_down(before, 1);
  if (lane == 0) one = i >= 1 ? from_next : -INFINITY;
  if (lane < 2) two = before;
  if (i < n) y[i] = max(mine, max(one, two));
}
