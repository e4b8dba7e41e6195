// section: 2.21 Type Conversions and Reinterpreting Data
// construct: float2(uint2) converts
// grid: 1
// in: a uint2 3 4000000000
// out: out float2 3 4e+09
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint2 *a [[buffer(0)]],
                 device float2 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = float2(a[i]);
}
