// section: 6.2 Common Functions
// construct: precise::clamp of NaN gives the lower bound
// grid: 2
// in: a float nan 0.5
// out: out float 0.25 0.5
// math: safe
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = precise::clamp(a[i], 0.25f, 1.0f);
}
