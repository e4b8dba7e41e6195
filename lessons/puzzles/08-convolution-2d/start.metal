#include <metal_stdlib>
using namespace metal;

// y[r][c] = the sum of x[r + j - 1][c + k - 1] * w[j][k], j and k from 0 to 2;
// pixels outside are 0. Groups of 8 x 8; at most 2 reads of device memory.
kernel void convolve(device const float *x [[buffer(0)]],
                     constant float     *w [[buffer(1)]],
                     device float       *y [[buffer(2)]],
                     constant uint      &rows    [[buffer(3)]],
                     constant uint      &columns [[buffer(4)]],
                     uint2 p [[thread_position_in_grid]],
                     uint2 t [[thread_position_in_threadgroup]],
                     uint2 g [[threadgroup_position_in_grid]]) {
  // your code
}
