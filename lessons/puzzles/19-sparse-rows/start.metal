#include <metal_stdlib>
using namespace metal;

// y[r] = the sum of value[e] * x[column[e]] for e from first[r] to
// first[r + 1] - 1. A group of 32 threads, one SIMD-group, for each row.
kernel void spmv(device const uint  *first  [[buffer(0)]],
                 device const uint  *column [[buffer(1)]],
                 device const float *value  [[buffer(2)]],
                 device const float *x      [[buffer(3)]],
                 device float       *y      [[buffer(4)]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint row  [[threadgroup_position_in_grid]]) {
  // your code
}
