// section: 6.5 Math Functions
// construct: powr of float
// grid: 4
// in: a float 2 3 2.5 10
// in: b float 10 4 2 3
// out: out float within 4e-06: 1024 81 6.25 1000
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = powr(a[i], b[i]);
}
