#include <metal_stdlib>
using namespace metal;
constant float x[2] = {1, 2};
kernel void k(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constant float *p = x, c = a[i];
  a[i] = p[1] + c;
}
// expect: 5: a constant must be initialized by a constant expression
