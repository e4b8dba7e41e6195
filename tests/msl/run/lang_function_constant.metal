// section: 5.8 Program Scope Function Constants
// construct: function constants
// grid: 2
// constant: 0 int 3
// constant: 1 bool true
// in: a float 1 2
// out: out float 13 16
#include <metal_stdlib>
using namespace metal;

constant int times [[function_constant(0)]];
constant bool shifted [[function_constant(1)]];
kernel void test(device const float *a [[buffer(0)]], device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float v = a[i] * times;
  if (shifted) v += 10;
  out[i] = v;
}
