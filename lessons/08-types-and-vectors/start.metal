#include <metal_stdlib>
using namespace metal;

// Points of three floats, 12 bytes each, come in; the length of each goes out
// as a half. Two mistakes are in here.
kernel void lengths(device const float3 *points [[buffer(0)]],
                    device half *out            [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  half3 p = half3(points[i]);
  out[i] = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
}
