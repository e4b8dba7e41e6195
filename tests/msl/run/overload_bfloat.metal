// section: 1.5.1 Overloading
// construct: exp and max of bfloat
// grid: 2
// in: a bfloat 0 -4
// out: out float within 0.004: 1 -0.981684361
#include <metal_stdlib>
using namespace metal;

kernel void test(device const bfloat *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = float(exp(a[i])) + float(max(a[i], bfloat(-1.0f)));
}
