#include <metal_stdlib>
using namespace metal;

kernel void rating(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant float4    &w [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  float4 r = reinterpret_cast<device const float4 *>(x)[i];
  float v = w.x * r.x + w.y * r.y + w.z * r.z + w.w * r.w;
  float d = 0.1f * (1 + i % 2);
  for (int k = 0; k < 16; k++) v *= 1 - d * v;
  y[i] = v;
}
