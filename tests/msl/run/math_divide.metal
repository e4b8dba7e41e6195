// section: 6.5 Math Functions
// construct: divide of float
// grid: 4
// in: a float 1 10 -7 3
// in: b float 4 5 2 8
// out: out float 0.25 2 -3.5 0.375
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = divide(a[i], b[i]);
}
