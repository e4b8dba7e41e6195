#include <metal_stdlib>
using namespace metal;

// next = the generation after now: a cell lives if it has 3 living neighbours,
// or 2 and lives already. The edges meet. Groups of 8 x 8; 2 reads a thread.
kernel void life(device const uchar *now  [[buffer(0)]],
                 device uchar       *next [[buffer(1)]],
                 constant uint      &rows    [[buffer(2)]],
                 constant uint      &columns [[buffer(3)]],
                 uint2 p [[thread_position_in_grid]],
                 uint2 t [[thread_position_in_threadgroup]],
                 uint2 g [[threadgroup_position_in_grid]]) {
  // your code
}
