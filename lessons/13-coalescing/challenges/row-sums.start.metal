#include <metal_stdlib>
using namespace metal;

kernel void row_sums(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     constant uint &columns [[buffer(2)]],
                     uint row  [[threadgroup_position_in_grid]],
                     uint lane [[thread_index_in_simdgroup]]) {
  uint share = (columns + 31) / 32, first = lane * share;
  float sum = 0;
  for (uint c = first; c < min(first + share, columns); c++)
    sum += x[row * columns + c];
  sum = simd_sum(sum);
  if (lane == 0) y[row] = sum;
}
