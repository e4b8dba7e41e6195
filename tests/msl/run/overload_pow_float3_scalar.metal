// section: 1.5.1 Overloading
// construct: pow of float3 and a scalar
// grid: 1
// in: a float3 1 2 3
// out: out float3 within 1e-05: 1 4 9
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = pow(a[i], 2.0);
}
