// section: 6.5 Math Functions
// construct: fma rounds once
// grid: 3
// in: a float 1.000244140625 2 3
// in: b float 0.999755859375 3 -1
// in: c float -1 4 0.5
// out: out float -5.960464477539063e-08 10 -2.5
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device const float *c [[buffer(2)]],
                 device float *out [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = fma(a[i], b[i], c[i]);
}
