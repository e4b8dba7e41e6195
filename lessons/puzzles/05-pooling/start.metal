#include <metal_stdlib>
using namespace metal;

// y[i] = the largest of x[i - 2], x[i - 1] and x[i], as far as they exist.
// Groups of 64; at most 2 reads of device memory a thread.
kernel void pool(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 constant uint      &n [[buffer(2)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]]) {
  // your code
}
