// section: 5.1 Functions
// construct: default arguments
// grid: 1
// in: a float 2
// out: out float 24
#include <metal_stdlib>
using namespace metal;

float scaled(float x, float k = 2) { return x * k; }

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = scaled(a[i]) + scaled(a[i], 10);
}
