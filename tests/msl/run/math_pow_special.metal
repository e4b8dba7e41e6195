// section: 6.5 Math Functions
// construct: pow where C names the answer
// grid: 7
// in: a float 0 5 1 0 -2 inf 2
// in: b float 0 0 nan -1 0.5 -1 inf
// out: out float 1 1 1 inf nan 0 inf
// math: safe
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = precise::pow(a[i], b[i]);
}
