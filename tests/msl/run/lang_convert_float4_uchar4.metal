// section: 2.21 Type Conversions and Reinterpreting Data
// construct: uchar4(float4)
// grid: 1
// in: a float4 1.9 200.5 0 255
// out: out uchar4 1 200 0 255
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device uchar4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = uchar4(a[i]);
}
