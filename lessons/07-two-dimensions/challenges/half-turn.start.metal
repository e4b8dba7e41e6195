#include <metal_stdlib>
using namespace metal;

kernel void mirror(device const float *image [[buffer(0)]],
                   device float *out         [[buffer(1)]],
                   constant uint &width      [[buffer(2)]],
                   constant uint &height     [[buffer(3)]],
                   uint2 p [[thread_position_in_grid]]) {
  if (p.x >= width || p.y >= height) return;
  out[p.y * width + p.x] =
      image[(height - 1 - p.y) * width + (width - 1 - p.x)];
}
