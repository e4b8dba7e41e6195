#include <metal_stdlib>
using namespace metal;

// bins[b] counts the elements of x whose upper four bits are b. bins hold 0
// before. Groups of 256; at most 16 atomics on device memory a group.
kernel void histogram(device const uchar *x    [[buffer(0)]],
                      device atomic_uint *bins [[buffer(1)]],
                      constant uint      &n    [[buffer(2)]],
                      uint i [[thread_position_in_grid]],
                      uint t [[thread_position_in_threadgroup]]) {
  // your code
}
