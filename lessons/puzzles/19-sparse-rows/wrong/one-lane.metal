#include <metal_stdlib>
using namespace metal;

kernel void spmv(device const uint  *first  [[buffer(0)]],
                 device const uint  *column [[buffer(1)]],
                 device const float *value  [[buffer(2)]],
                 device const float *x      [[buffer(3)]],
                 device float       *y      [[buffer(4)]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint row  [[threadgroup_position_in_grid]]) {
  if (lane > 0) return;
  float sum = 0;
  for (uint e = first[row]; e < first[row + 1]; e++)
    sum += value[e] * x[column[e]];
  y[row] = sum;
}
