#include <metal_stdlib>
using namespace metal;

// b = a with rows and columns exchanged. A group of 32 x 8 threads moves one
// tile of 32 x 32, each thread four elements. Right, but the threads of a
// SIMD-group write a whole row apart from each other.
kernel void transpose(device const float *a [[buffer(0)]],
                      device float       *b [[buffer(1)]],
                      constant uint &rows    [[buffer(2)]],  // of a
                      constant uint &columns [[buffer(3)]],  // of a
                      uint2 local [[thread_position_in_threadgroup]],
                      uint2 group [[threadgroup_position_in_grid]]) {
  uint x = group.x * 32 + local.x;
  for (uint r = local.y; r < 32; r += 8) {
    uint y = group.y * 32 + r;
    if (x < columns && y < rows) b[x * rows + y] = a[y * columns + x];
  }
}
