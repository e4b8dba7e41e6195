// section: 2.21 Type Conversions and Reinterpreting Data
// construct: a number as a condition
// grid: 2
// in: a float 0 0.5
// out: out int 0 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i] ? 1 : 0;
}
