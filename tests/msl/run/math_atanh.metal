// section: 6.5 Math Functions
// construct: atanh of float
// grid: 8
// in: a float 0.10000000149011612 0.25 0.5 0.75 0.8999999761581421 -0.30000001192092896
//   -0.6000000238418579 0
// out: out float within 1e-06: 0.100335349 0.255412812 0.549306144 0.972955075 1.47221936
//   -0.309519617 -0.693147218 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = atanh(a[i]);
}
