// section: 6.18.6 Curve Utility Functions
// construct: bezier, bspline, catmull_rom and hermite, and their derivatives
// grid: 1
// in: t float 0.5
// out: a float 3 4 3 12 2.5 5.5 2.5 4
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *t [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  t += i;
  a += i * 8;
  a[0] = bezier(t[0], 1.0f, 3.0f, 5.0f);
  a[1] = bezier_derivative(t[0], 1.0f, 3.0f, 5.0f);
  a[2] = bezier(t[0], 0.0f, 0.0f, 4.0f, 12.0f);
  a[3] = bezier_derivative(t[0], 0.0f, 0.0f, 4.0f, 12.0f);
  a[4] = bspline(t[0], 1.0f, 2.0f, 3.0f, 4.0f);
  a[5] = catmull_rom(t[0], 4.0f, 5.0f, 6.0f, 7.0f);
  a[6] = hermite(t[0], 2.0f, 3.0f, 1.0f, 1.0f);
  a[7] = catmull_rom_derivative(t[0], 0.0f, 4.0f, 8.0f, 12.0f);
}
