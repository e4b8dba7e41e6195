// section: 5.1 Functions
// construct: overloaded functions
// grid: 1
// in: a float 2
// out: out float 15
#include <metal_stdlib>
using namespace metal;

float f(float x) { return x; }
float f(int) { return 10; }
float f(float2 v) { return v.x + v.y; }

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = f(a[i]) + f(1) + f(float2(1, 2));
}
