// section: 6.2 Common Functions
// construct: step, smoothstep, mix with vectors of edges; ends and beyond
// grid: 1
// in: x float 1 0.5
// out: a float 1 0 0 0.5 1 0 0.15625 2.5 12.5 5 30 1 1 0 -0.0 1 1 0
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 18;
  a[0] = step(1.0f, x[0]); a[1] = step(1.0f, x[1]); a[2] = step(1.5f, x[0]);
  a[3] = smoothstep(0.0f, 2.0f, x[0]); a[4] = smoothstep(0.0f, 1.0f, 5.0f);
  a[5] = smoothstep(0.0f, 1.0f, -5.0f); a[6] = smoothstep(0.0f, 4.0f, 1.0f);
  float2 v = mix(float2(0, 10), float2(10, 20), 0.25f); a[7] = v.x; a[8] = v.y;
  v = mix(float2(0, 10), float2(10, 20), float2(0.5, 2)); a[9] = v.x; a[10] = v.y;
  float3 s = step(float3(0, 1, 2), float3(1)); a[11] = s.x; a[12] = s.y; a[13] = s.z;
  a[14] = sign(-0.0f); a[15] = sign(x[1]); a[16] = saturate(x[0] * 3); a[17] = saturate(-x[0]);
}
