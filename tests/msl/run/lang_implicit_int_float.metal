// section: 2.21 Type Conversions and Reinterpreting Data
// construct: int to float without a cast
// grid: 2
// in: a int 3 -4
// out: out float 1.5 -2
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i] * 0.5;
}
