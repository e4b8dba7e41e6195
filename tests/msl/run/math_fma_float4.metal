// section: 6.5 Math Functions
// construct: fma of float4
// grid: 1
// in: a float4 1 2 3 4
// in: b float4 2 2 2 2
// in: c float4 1 1 1 1
// out: out float4 3 5 7 9
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device const float4 *b [[buffer(1)]],
                 device const float4 *c [[buffer(2)]],
                 device float4 *out [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = fma(a[i], b[i], c[i]);
}
