// section: 2.1 Scalar Data Types
// construct: 1.0 is a float: 0.1 + 0.2 rounds as float
// grid: 1
// in: a float 0
// out: out int 4
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = (0.1 + 0.2 == 0.1f + 0.2f) ? int(sizeof(1.0)) : 0;
}
