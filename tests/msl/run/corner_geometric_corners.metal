// section: 6.8 Geometric Functions
// construct: distance, reflect, refract at total reflection, cross of half, normalize of 2 and 4, dot of int
// grid: 1
// in: x float 3
// out: a float within 1e-06: 5 1 1 0 0 1 1 14 25 -1
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 10;
  a[0] = distance(float2(x[0], 4), float2(0)); float3 r = reflect(float3(1, -1, 0), float3(0, 1, 0));
  a[1] = r.x; a[2] = r.y; float3 t = refract(normalize(float3(1, -0.1, 0)), float3(0, 1, 0), 1.5f);
  a[3] = t.x; a[4] = t.y; half3 c = cross(half3(1, 0, 0), half3(0, 1, 0)); a[5] = c.z;
  float4 n = normalize(float4(2, 0, 0, 0)); a[6] = n.x; a[7] = length_squared(float3(1, 2, 3));
  a[8] = distance_squared(float2(1, 1), float2(4, 5));
  a[9] = faceforward(float3(0, 0, 1), float3(0, 0, 1), float3(0, 0, 1)).z;
}
