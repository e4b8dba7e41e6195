// section: 6.5 Math Functions
// construct: sincos stores the cosine through its reference, half and vectors
// grid: 1
// in: x float 0.5
// out: a float within 0.002: 0.479425538604203 0.8775825618903728 0 0.479425538604203 -0.479425538604203 1 0.8775825618903728 0.8775825618903728 0.8414709848078965 0.5403023058681398
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 10;
  float c; a[0] = sincos(x[0], c); a[1] = c;
  float3 vc; float3 v = sincos(float3(0, x[0], -x[0]), vc); a[2] = v.x; a[3] = v.y; a[4] = v.z; a[5] = vc.x;
  a[6] = vc.y; a[7] = vc.z;
  half hc; a[8] = sincos(1.0h, hc) ; a[9] = hc;
}
