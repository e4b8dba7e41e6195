// section: 6.5 Math Functions
// construct: sqrt of float4
// grid: 2
// in: a float4 0.0010000000474974513 0.25 1 1.5 2 10 12345 1.0000000200408773e+20
// out: out float4 within 1e-06: 0.0316227774 0.5 1 1.22474487 1.41421356 3.16227766 111.108056
//   1.00000001e+10
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device float4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sqrt(a[i]);
}
