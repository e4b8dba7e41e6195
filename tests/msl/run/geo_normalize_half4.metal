// section: 6.8 Geometric Functions
// construct: normalize of half4
// grid: 1
// in: a half4 2 0 0 0
// out: out half4 within 0.001: 1 0 0 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half4 *a [[buffer(0)]],
                 device half4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = normalize(a[i]);
}
