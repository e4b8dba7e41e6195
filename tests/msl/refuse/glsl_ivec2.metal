#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  ivec2 p; x[i] = p.x;
}
// expect: 4: write int2
