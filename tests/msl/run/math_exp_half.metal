// section: 6.5 Math Functions
// construct: exp of half
// grid: 8
// in: a half 0 0.5 1 -1 2 -3 4.5 8
// out: out half within 0.001: 1 1.6484375 2.71875 0.367919921875 7.390625 0.049774169921875 90 2980
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = exp(a[i]);
}
