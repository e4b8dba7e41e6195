// section: 6.5 Math Functions
// construct: precise::sin of huge angles
// grid: 8
// in: a float 100000 1000000 10000000 1e+10 1.0000000200408773e+20 3.0000000054977558e+38
//   -999999986991104.0 123456.7890625
// out: out float within 1e-06: 0.035748798 -0.349993502 0.420547793 -0.487506025 0.656576678
//   0.874904888 -0.994434307 -0.998660851
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = precise::sin(a[i]);
}
