#include <metal_stdlib>
using namespace metal;

kernel void lengths(device const packed_float3 *points [[buffer(0)]],
                    device half *out                   [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  float3 p = points[i];
  out[i] = half(sqrt(dot(p, p)));
}
