#include <metal_stdlib>
using namespace metal;

// c = a x b, all of n x n, row after row. Groups of 16 x 16; a tile of a and
// one of b in threadgroup memory, so that a thread reads 2 elements for each
// tile.
kernel void matmul(device const float *a [[buffer(0)]],
                   device const float *b [[buffer(1)]],
                   device float       *c [[buffer(2)]],
                   constant uint      &n [[buffer(3)]],
                   uint2 p [[thread_position_in_grid]],
                   uint2 t [[thread_position_in_threadgroup]]) {
  // your code
}
