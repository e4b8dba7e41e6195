#include <metal_stdlib>
using namespace metal;

// out[0] = the sum of a[i] * b[i] over n elements, by one group of 256 threads.
kernel void dot_product(device const float *a [[buffer(0)]],
                        device const float *b [[buffer(1)]],
                        device float       *out [[buffer(2)]],
                        constant uint      &n [[buffer(3)]],
                        uint t    [[thread_position_in_threadgroup]],
                        uint lane [[thread_index_in_simdgroup]],
                        uint simd [[simdgroup_index_in_threadgroup]]) {
  // your code
}
