// wrong: not kept between 0 and 1
#include <metal_stdlib>
using namespace metal;

kernel void brighten(device const float4 *image [[buffer(0)]],
                     device float4 *out         [[buffer(1)]],
                     constant float &amount     [[buffer(2)]],
                     constant uint &n           [[buffer(3)]],
                     uint i [[thread_position_in_grid]]) {
  if (i < n / 4) out[i] = 0.75f * (image[i] * amount);
}
