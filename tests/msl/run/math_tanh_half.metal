// section: 6.5 Math Functions
// construct: tanh of half
// grid: 8
// in: a half 0 0.5 1 -1 2 -3 0.25 0.75
// out: out half within 0.001: 0 0.462158203125 0.76171875 -0.76171875 0.9638671875 -0.9951171875
//   0.244873046875 0.63525390625
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = tanh(a[i]);
}
