#include <metal_stdlib>
using namespace metal;

// The elements of x that are > 0, in order, at the front of y; count[0] is how
// many. y holds zeros before. n is at most 256; one group of 256 threads.
kernel void keep_positive(device const float *x     [[buffer(0)]],
                          device float       *y     [[buffer(1)]],
                          device uint        *count [[buffer(2)]],
                          constant uint      &n     [[buffer(3)]],
                          uint t    [[thread_position_in_threadgroup]],
                          uint lane [[thread_index_in_simdgroup]],
                          uint simd [[simdgroup_index_in_threadgroup]]) {
  // your code
}
