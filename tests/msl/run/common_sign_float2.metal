// section: 6.2 Common Functions
// construct: sign of float2
// grid: 1
// in: a float2 -3 0.5
// out: out float2 -1 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float2 *a [[buffer(0)]],
                 device float2 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sign(a[i]);
}
