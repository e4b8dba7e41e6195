// section: 6.2 Common Functions
// construct: step of float4 with a scalar edge
// grid: 1
// in: a float4 0 0.5 0.75 0.25
// out: out float4 0 1 1 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device float4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = step(0.5f, a[i]);
}
