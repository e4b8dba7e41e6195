// section: 6.4 Relational Functions
// construct: any(isnan(float4))
// grid: 2
// in: a float4 1 2 3 4 1 nan 3 4
// out: out int 0 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = any(isnan(a[i])) ? 1 : 0;
}
