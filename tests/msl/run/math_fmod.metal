// section: 6.5 Math Functions
// construct: precise::fmod keeps the sign of x
// grid: 4
// in: a float 5.5 -5.5 7 1e+10
// in: b float 2 2 -3 7
// out: out float 1.5 -1.5 1 4
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = precise::fmod(a[i], b[i]);
}
