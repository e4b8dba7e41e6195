// section: 2.1 Scalar Data Types
// construct: bfloat keeps 8 bits
// grid: 3
// in: a float 1 1.00390625 257
// out: out float 1 1 256
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = float(bfloat(a[i]));
}
