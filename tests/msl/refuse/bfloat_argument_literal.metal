#include <metal_stdlib>
using namespace metal;
bfloat twice(bfloat x) { return x + x; }
kernel void k(device bfloat *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = twice(1.0);
}
// expect: 5: does not become a 'bfloat' by itself
