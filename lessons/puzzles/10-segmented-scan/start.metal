#include <metal_stdlib>
using namespace metal;

// y[i] = the sum of x from the last i' <= i with start[i'] = 1 up to x[i].
// n is at most 256; one group of 256 threads.
kernel void segmented_scan(device const float *x     [[buffer(0)]],
                           device const uint  *start [[buffer(1)]],
                           device float       *y     [[buffer(2)]],
                           constant uint      &n     [[buffer(3)]],
                           uint t [[thread_position_in_threadgroup]]) {
  // your code
}
