// section: 6.5 Math Functions
// construct: atan of half
// grid: 4
// in: a half 0 1 -1 100
// out: out half within 0.001: 0 0.78515625 -0.78515625 1.560546875
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = atan(a[i]);
}
