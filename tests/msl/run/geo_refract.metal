// section: 6.8 Geometric Functions
// construct: refract, and total reflection gives zero
// grid: 2
// in: a float 0.5 2
// out: out float3 within 1e-06: 0.353553391 -0.935414347 0 0 0 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = refract(float3(M_SQRT1_2_F, -M_SQRT1_2_F, 0), float3(0, 1, 0), a[i]);
}
