// section: 6.5 Math Functions
// construct: half math functions give half: sqrt, exp, log, sin, floor, fract, min3, max3, median3, abs, clamp
// grid: 1
// in: x half 2.25
// out: a float 1.5 2 0.25 1 3 2.25 2.25 2 2 8 6.0625 4 1 -2 2 0
#include <metal_stdlib>
using namespace metal;
kernel void test(device const half *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 16;
  half p = x[0]; a[0] = sqrt(p); a[1] = floor(p); a[2] = fract(p); a[3] = min3(p, 1.0h, 3.0h);
  a[4] = max3(p, 1.0h, 3.0h); a[5] = median3(p, 1.0h, 3.0h); a[6] = abs(-p); a[7] = clamp(p, 0.0h, 2.0h);
  a[8] = sizeof(sin(p)); a[9] = sizeof(exp(half4(1))); a[10] = fma(p, p, 1.0h); a[11] = sizeof(max(float(p), 1.0f));
  a[12] = saturate(p); a[13] = trunc(-p); a[14] = rint(p); a[15] = isnan(p);
}
