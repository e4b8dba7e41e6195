// section: 6.5 Math Functions
// construct: sin of half
// grid: 8
// in: a half 0 0.5 1 -1 2 -3 0.25 0.75
// out: out half within 0.001: 0 0.4794921875 0.84130859375 -0.84130859375 0.9091796875
//   -0.14111328125 0.2474365234375 0.681640625
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sin(a[i]);
}
