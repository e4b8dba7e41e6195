// section: 2.21 Type Conversions and Reinterpreting Data
// construct: int2(float2) truncates
// grid: 1
// in: a float2 2.9 -2.9
// out: out int2 2 -2
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float2 *a [[buffer(0)]],
                 device int2 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = int2(a[i]);
}
