#include <metal_stdlib>
using namespace metal;

kernel void lengths(device const packed_float3 *points [[buffer(0)]],
                    device half *out                   [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  packed_float3 p = points[i];
  out[i] = static_cast<half>(distance(float3(p), float3(0)));
}
