#include <metal_stdlib>
using namespace metal;

// b = a with rows and columns exchanged, the obvious way. Threads that are
// neighbours read neighbouring elements, but write elements a whole column of b
// apart: each lane of a SIMD-group touches another line of memory.
kernel void transpose_naive(device const float *a [[buffer(0)]],
                            device float       *b [[buffer(1)]],
                            constant uint &rows    [[buffer(2)]],  // of a
                            constant uint &columns [[buffer(3)]],
                            uint2 at [[thread_position_in_grid]]) {
  if (at.x >= columns || at.y >= rows) return;
  b[at.x * rows + at.y] = a[at.y * columns + at.x];
}
