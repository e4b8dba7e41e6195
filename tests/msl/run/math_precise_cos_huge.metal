// section: 6.5 Math Functions
// construct: precise::cos of huge angles
// grid: 8
// in: a float 100000 1000000 10000000 1e+10 1.0000000200408773e+20 3.0000000054977558e+38
//   -999999986991104.0 123456.7890625
// out: out float within 1e-06: -0.999360807 0.936752128 -0.907270386 0.873119623 0.754259283
//   -0.484294784 0.105358478 0.0517349491
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = precise::cos(a[i]);
}
