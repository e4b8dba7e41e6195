// section: 6.5 Math Functions
// construct: fmin, fmax, min and max with one NaN give the other in safe mode
// grid: 1
// math: safe
// in: x float nan
// out: a float 1 2 3 4 1 0 1
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 7;
  float n = x[0]; a[0] = fmin(n, 1.0f); a[1] = fmax(2.0f, n); a[2] = min(n, 3.0f); a[3] = max(n, 4.0f);
  a[4] = clamp(n, 1.0f, 2.0f) ;
  float2 v = max(float2(n, 1), float2(0)); a[5] = v.x; a[6] = v.y;
}
