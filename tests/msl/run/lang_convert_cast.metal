// section: 2.21 Type Conversions and Reinterpreting Data
// construct: (float4)x and (int)x
// grid: 1
// in: a int4 1 2 3 4
// out: out float4 1.5 2 2.5 3
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int4 *a [[buffer(0)]],
                 device float4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = (float4)a[i] / 2 + (float)(int)1.9f;
}
