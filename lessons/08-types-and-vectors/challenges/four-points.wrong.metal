// wrong: two points mixed up
#include <metal_stdlib>
using namespace metal;

kernel void lengths(device const float4 *points [[buffer(0)]],
                    device half4 *out            [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  float4 a = points[3 * i], b = points[3 * i + 1], c = points[3 * i + 2];
  float4 x(a.x, a.w, b.z, c.y), y(a.y, b.x, b.w, c.z), z(a.z, b.y, c.w, c.x);
  out[i] = half4(sqrt(x * x + y * y + z * z));
}
