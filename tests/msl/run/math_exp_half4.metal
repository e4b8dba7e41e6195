// section: 6.5 Math Functions
// construct: exp of half4
// grid: 2
// in: a half4 0 1 -1 2 0.5 -0.5 3 -3
// out: out half4 within 0.001: 1 2.71875 0.367919921875 7.390625 1.6484375 0.6064453125 20.078125
//   0.049774169921875
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half4 *a [[buffer(0)]],
                 device half4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = exp(a[i]);
}
