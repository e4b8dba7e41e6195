#include <metal_stdlib>
using namespace metal;

// y[i] = x[0] + x[1] + ... + x[i], for n up to 1024, by one group of 256
// threads.
kernel void scan(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 constant uint      &n [[buffer(2)]],
                 uint t    [[thread_position_in_threadgroup]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint simd [[simdgroup_index_in_threadgroup]]) {
  // your code
}
