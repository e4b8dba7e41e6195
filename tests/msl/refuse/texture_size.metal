#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> t [[texture(0)]], device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint2 s = t.size(); uint w = t.width; x[i] = s.x + w;
}
// expect: 4: t.get_width() and
