// section: 1.5.1 Overloading
// construct: pow(x, 2)
// grid: 2
// in: a float 3 1.5
// out: out float within 1e-05: 9 2.25
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = pow(a[i], 2);
}
