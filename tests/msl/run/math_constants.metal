// section: 6.5 Math Functions
// construct: M_PI_F and its kin, INFINITY, NAN, MAXFLOAT
// repeats: no
// grid: 8
// in: a float 1 1 1 1 1 1 1 1
// out: out float within 1e-07: 3.14159265 2.71828183 1.41421356 0.693147181 1.57079633
//   0.318309886 inf 3.4028234663852886e+38
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float v[8] = {M_PI_F, M_E_F, M_SQRT2_F, M_LN2_F, M_PI_2_F, M_1_PI_F, INFINITY, MAXFLOAT};
  out[i] = v[i] * a[i];
}
