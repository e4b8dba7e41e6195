#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *a [[buffer(0)]], device float *b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constant float *c = (constant float *)a;
  b[i] = c[i];
}
// expect: 4: mismatching address spaces
