// section: 6.5 Math Functions
// construct: sinh of float
// grid: 8
// in: a float -5 -1 -0.25 0 0.5 1 2 10
// out: out float within 1e-06: -74.2032106 -1.17520119 -0.252612317 0 0.521095305 1.17520119
//   3.62686041 11013.2329
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sinh(a[i]);
}
