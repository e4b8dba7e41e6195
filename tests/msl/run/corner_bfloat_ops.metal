// section: 2.1 Scalar Data Types
// construct: bfloat arithmetic, comparison, conversion, vectors and functions
// grid: 1
// in: x float 3.140625
// out: a float 9.875 260 1 3 5.140625 9.875 8 3.140625 -3.140625 4.125 4 4.125
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 12;
  bfloat p = bfloat(x[0]); bfloat q = p * p; a[0] = float(q); a[1] = float(p + bfloat(256.0f)); a[2] = p < q;
  a[3] = int(p); bfloat4 v = bfloat4(p, q, bfloat(1), bfloat(2)); float4 w = float4(v); a[4] = w.x + w.w;
  a[5] = max(float(p), float(q)); a[6] = sizeof(v); a[7] = abs(float(-p)); a[8] = float(-p); p += bfloat(1);
  a[9] = float(p); a[10] = sqrt(float(bfloat(16.0f))); a[11] = half(p);
}
