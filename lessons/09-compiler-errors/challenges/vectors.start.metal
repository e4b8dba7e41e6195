#include <metal_stdlib>
using namespace metal;

kernel void brighten(device const float *image [[buffer(0)]],
                     device float *out         [[buffer(1)]],
                     constant float &amount    [[buffer(2)]],
                     constant uint &n          [[buffer(3)]],
                     uint i [[thread_position_in_grid]]) {
  for (uint k = 4 * i; k < min(4 * i + 4, n); k++)
    out[k] = 0.75f * clamp(image[k] * amount, 0.0f, 1.0f);
}
