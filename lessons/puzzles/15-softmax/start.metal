#include <metal_stdlib>
using namespace metal;

// y[r][c] = exp(x[r][c] - m) / sum over c of exp(x[r][c] - m), m the largest of
// the row. A group of 32 threads, one SIMD-group, for each row.
kernel void softmax(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint      &columns [[buffer(2)]],
                    uint lane [[thread_index_in_simdgroup]],
                    uint row  [[threadgroup_position_in_grid]]) {
  // your code
}
