#include <metal_stdlib>
using namespace metal;

// y = x in rising order. n is at most 256; one group of 256 threads.
kernel void sort(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 constant uint      &n [[buffer(2)]],
                 uint t [[thread_position_in_threadgroup]]) {
  // your code
}
