#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float, write> t [[texture(0)]], device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 0;
}
// expect: 3: access::write
