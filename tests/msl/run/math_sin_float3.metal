// section: 6.5 Math Functions
// construct: sin of float3
// grid: 2
// in: a float3 -3 -1 -0.5 0 0.25 1
// out: out float3 within 1e-06: -0.141120008 -0.841470985 -0.479425539 0 0.247403959 0.841470985
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sin(a[i]);
}
