#include <metal_stdlib>
using namespace metal;

// y[i] = x[i] * w[0] + x[i + 1] * w[1] + ... + x[i + 4] * w[4]; x has n + 4
// elements. Groups of 64; at most 2 reads of device memory a thread.
kernel void convolve(device const float *x [[buffer(0)]],
                     constant float     *w [[buffer(1)]],
                     device float       *y [[buffer(2)]],
                     constant uint      &n [[buffer(3)]],
                     uint i [[thread_position_in_grid]],
                     uint t [[thread_position_in_threadgroup]]) {
  // your code
}
