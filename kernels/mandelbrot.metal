#include <metal_stdlib>
using namespace metal;

// For each pixel c of the plane: how many steps of z = z² + c until z leaves
// the circle of radius 2? Much arithmetic, hardly any memory; but neighbours
// leave at different steps, and a SIMD-group goes on until its last lane has
// left.
kernel void mandelbrot(device uint *counts [[buffer(0)]],
                       constant uint &rows    [[buffer(1)]],
                       constant uint &columns [[buffer(2)]],
                       constant float2 &corner [[buffer(3)]],  // first pixel
                       constant float &pixel   [[buffer(4)]],  // a pixel's side
                       constant uint &steps    [[buffer(5)]],  // at most
                       uint2 at [[thread_position_in_grid]]) {
  if (at.x >= columns || at.y >= rows) return;
  float2 c = corner + float2(at) * pixel;
  float2 z = 0;
  uint count = 0;
  while (count < steps && z.x * z.x + z.y * z.y <= 4) {
    z = float2(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
    count++;
  }
  counts[at.y * columns + at.x] = count;
}
