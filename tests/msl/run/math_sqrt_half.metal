// section: 6.5 Math Functions
// construct: sqrt of half
// grid: 8
// in: a half 0 1 2 4 9 100 0.25 1000
// out: out half within 0.001: 0 1 1.4140625 2 3 10 0.5 31.625
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sqrt(a[i]);
}
