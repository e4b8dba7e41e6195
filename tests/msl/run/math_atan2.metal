// section: 6.5 Math Functions
// construct: atan2 of float
// grid: 8
// in: a float 1 1 -1 -1 0 2 0.5 -3
// in: b float 1 -1 1 -1 1 0 3 0
// out: out float within 1e-06: 0.785398163 2.35619449 -0.785398163 -2.35619449 0 1.57079633
//   0.165148677 -1.57079633
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = atan2(a[i], b[i]);
}
