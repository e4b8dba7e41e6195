// section: 6.5 Math Functions
// construct: exp2 of float
// grid: 8
// in: a float -3 -1 -0.5 0 0.25 1 2 30
// out: out float within 1e-06: 0.125 0.5 0.707106781 1 1.18920712 2 4 1073741824.0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = exp2(a[i]);
}
