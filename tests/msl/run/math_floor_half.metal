// section: 6.5 Math Functions
// construct: floor of half
// grid: 4
// in: a half -1.5 2.75 3 -4.25
// out: out half -2 2 3 -5
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = floor(a[i]);
}
