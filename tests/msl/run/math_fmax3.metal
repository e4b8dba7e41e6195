// section: 6.5 Math Functions
// construct: fmax3
// grid: 4
// in: a float 1 5 3 -1
// in: b float 2 4 3 -2
// in: c float 3 6 1 -3
// out: out float 3 6 3 -1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device const float *c [[buffer(2)]],
                 device float *out [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = fmax3(a[i], b[i], c[i]);
}
