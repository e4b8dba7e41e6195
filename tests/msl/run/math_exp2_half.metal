// section: 6.5 Math Functions
// construct: exp2 of half
// grid: 6
// in: a half 0 1 -1 3 0.5 10
// out: out half within 0.001: 1 2 0.5 8 1.4140625 1024
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = exp2(a[i]);
}
