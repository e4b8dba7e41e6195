// section: 2.1 Scalar Data Types
// construct: numeric_limits<float>
// repeats: no
// grid: 6
// in: a float 1 1 1 1 1 1
// out: out float within 1e-07: 3.4028234663852886e+38 1.1754943508222875e-38
//   1.1920928955078125e-07 inf -3.4028234663852886e+38 1.401298464324817e-45
// math: safe
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float v[6] = {numeric_limits<float>::max(), numeric_limits<float>::min(), numeric_limits<float>::epsilon(),
                numeric_limits<float>::infinity(), numeric_limits<float>::lowest(), numeric_limits<float>::denorm_min()};
  out[i] = v[i] * a[i];
}
