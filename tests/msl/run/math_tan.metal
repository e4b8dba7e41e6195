// section: 6.5 Math Functions
// construct: tan of float
// grid: 8
// in: a float -3 -1 -0.5 0 0.25 1 2 30
// out: out float within 1e-06: 0.142546543 -1.55740772 -0.54630249 0 0.255341921 1.55740772
//   -2.18503986 -6.4053312
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = tan(a[i]);
}
