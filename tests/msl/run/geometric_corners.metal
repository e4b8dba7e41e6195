// section: 6.8 Geometric Functions
// construct: faceforward, reflect, refract, distance_squared
// grid: 1
// out: o float 1 -1 0 25 5
#include <metal_stdlib>
using namespace metal;
kernel void k(device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2 d = float2(1, -1) + float(i), n = float2(0, 1);
  float2 r = reflect(d, n);
  o[0] = r.y;
  o[1] = faceforward(n, d * -1, n).y;
  o[2] = refract(float2(1, 0), n, 2.0f).x;
  o[3] = distance_squared(float2(0), float2(3, 4));
  o[4] = length(float2(3, 4));
}
