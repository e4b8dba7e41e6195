// section: 6.5 Math Functions
// construct: rint of float4
// grid: 2
// in: a float4 -2.5 -1.5 -0.5 0.5 1.5 2.5 2.75 -7.25
// out: out float4 -2 -2 0 0 2 2 3 -7
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device float4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = rint(a[i]);
}
