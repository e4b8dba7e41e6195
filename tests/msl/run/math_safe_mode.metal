// section: 6.5 Math Functions
// construct: exp, log and sin in safe math
// grid: 4
// in: a float 0.5 1 2 3
// out: out float within 1e-06: 1.43499963 3.55975281 8.99150071 21.3252692
// math: safe
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = exp(a[i]) + log(a[i]) + sin(a[i]);
}
