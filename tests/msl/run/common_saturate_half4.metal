// section: 6.2 Common Functions
// construct: saturate of half4
// grid: 1
// in: a half4 -1 0.25 2 1
// out: out half4 0 0.25 1 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half4 *a [[buffer(0)]],
                 device half4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = saturate(a[i]);
}
