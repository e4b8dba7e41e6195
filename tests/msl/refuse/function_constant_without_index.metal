#include <metal_stdlib>
using namespace metal;
constant int n [[function_constant]];
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = n;
}
// expect: 3: takes one argument
