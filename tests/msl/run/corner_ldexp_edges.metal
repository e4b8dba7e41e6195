// section: 6.5 Math Functions
// construct: ldexp to denormals and infinity, ilogb, nextafter both ways, copysign, logb
// grid: 1
// math: safe
// in: x float 1 -7 1500
// out: a float 1.7014118346046923e+38 inf 1.1754943508222875e-38 -1.75 10 -2 1.0000001192092896 0.9999999403953552 1 -1500 8 1.5
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 3;
  a += i * 12;
  a[0] = ldexp(x[0], 127); a[1] = ldexp(x[0], 128); a[2] = ldexp(x[0], -126); a[3] = ldexp(x[1], -2);
  a[4] = ilogb(x[2]); a[5] = ilogb(0.3f);
  a[6] = nextafter(x[0], 2.0f); a[7] = nextafter(x[0], 0.0f); a[8] = nextafter(x[0], x[0]);
  a[9] = copysign(x[2], -0.0f);
  float2 l = ldexp(float2(1, 3), int2(3, -1)); a[10] = l.x; a[11] = l.y;
}
