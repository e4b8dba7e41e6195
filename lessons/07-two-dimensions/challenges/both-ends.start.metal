#include <metal_stdlib>
using namespace metal;

kernel void mirror(device const float *image [[buffer(0)]],
                   device float *out         [[buffer(1)]],
                   constant uint &width      [[buffer(2)]],
                   constant uint &height     [[buffer(3)]],
                   uint2 p [[thread_position_in_grid]]) {
  for (uint x = p.x; x < width; x += width / 2)
    if (p.x < width / 2 && p.y < height)
      out[p.y * width + x] = image[p.y * width + (width - 1 - x)];
}
