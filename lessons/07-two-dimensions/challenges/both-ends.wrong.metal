// wrong: the mirror of x is width - 1 - x
#include <metal_stdlib>
using namespace metal;

kernel void mirror(device const float *image [[buffer(0)]],
                   device float *out         [[buffer(1)]],
                   constant uint &width      [[buffer(2)]],
                   constant uint &height     [[buffer(3)]],
                   uint2 p [[thread_position_in_grid]]) {
  if (p.x >= width / 2 || p.y >= height) return;
  uint left = p.y * width + p.x, right = p.y * width + width - p.x;
  float a = image[left], b = image[right];
  out[left] = b;
  out[right] = a;
}
