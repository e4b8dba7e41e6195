// section: 6.5 Math Functions
// construct: fmin of float
// grid: 4
// in: a float 1 5 -1 2
// in: b float 4 2 -3 2.5
// out: out float 1 2 -3 2
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = fmin(a[i], b[i]);
}
