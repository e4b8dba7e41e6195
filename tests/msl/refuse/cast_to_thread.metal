#include <metal_stdlib>
using namespace metal;
float first(thread const float *p) { return p[0]; }
kernel void k(device float *b [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  b[i] = first((thread const float *)&b[i]);
}
// expect: 5: mismatching address spaces
