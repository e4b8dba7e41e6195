#include <metal_stdlib>
using namespace metal;
struct A { float v; }
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 1;
}
// expect: 3: expected ';' after struct
