#include <metal_stdlib>
using namespace metal;

// y = -x for a matrix of rows x columns, row after row. Launched in whole
// groups of 8 x 8 threads: some have no element.
kernel void negate(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant uint      &rows    [[buffer(2)]],
                   constant uint      &columns [[buffer(3)]],
                   uint2 p [[thread_position_in_grid]]) {
  // your code
}
