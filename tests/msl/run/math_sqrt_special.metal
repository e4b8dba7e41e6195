// section: 6.5 Math Functions
// construct: sqrt of zero, infinity, negative numbers
// grid: 4
// in: a float 0 inf -1 4
// out: out float 0 inf nan 2
// math: safe
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sqrt(a[i]);
}
