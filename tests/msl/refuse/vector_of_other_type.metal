#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int2 p = float2(1, 2); x[i] = p.x;
}
// expect: 4: converted by name
