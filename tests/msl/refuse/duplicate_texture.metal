#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> a [[texture(1)]],
  texture2d<float, access::write> c [[texture(1)]], uint2 g [[thread_position_in_grid]]) { c.write(a.read(g), g); }
// expect: 4: index 1
