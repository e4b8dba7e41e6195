#include <metal_stdlib>
using namespace metal;

kernel void lengths(device const packed_float3 *points [[buffer(0)]],
                    device half *out                   [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  for (uint k = 4 * i; k < 4 * i + 4; k++)
    out[k] = half(length(float3(points[k])));
}
