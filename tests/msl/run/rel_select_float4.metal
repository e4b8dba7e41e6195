// section: 6.4 Relational Functions
// construct: select of float4 by a comparison
// grid: 1
// in: a float4 -1 2 -3 4
// out: out float4 0 2 0 4
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device float4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = select(a[i], float4(0), a[i] < 0.0f);
}
