// section: 6.5 Math Functions
// construct: pow of float
// grid: 8
// in: a float 2 3 2.5 10 0.5 9 4 1.5
// in: b float 10 4 2 3 8 0.5 -1 7
// out: out float within 4e-06: 1024 81 6.25 1000 0.00390625 3 0.25 17.0859375
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = pow(a[i], b[i]);
}
