#include <metal_stdlib>
using namespace metal;

kernel void spmv(device const uint  *first  [[buffer(0)]],
                 device const uint  *column [[buffer(1)]],
                 device const float *value  [[buffer(2)]],
                 device const float *x      [[buffer(3)]],
                 device float       *y      [[buffer(4)]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint row  [[threadgroup_position_in_grid]]) {
  float sum = 0;
  for (uint e = first[row] + lane; e < first[row + 1]; e += 32)
    sum += value[e] * x[e - first[row]];
  sum = simd_sum(sum);
  if (lane == 0) y[row] = sum;
}
