#include <metal_stdlib>
using namespace metal;

kernel void lengths(device const packed_float3 *points [[buffer(0)]],
                    device half *out                   [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  int3 p = int3(float3(points[i]));
  out[i] = half(sqrt(float(p.x * p.x + p.y * p.y + p.z * p.z)));
}
