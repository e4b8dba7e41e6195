// section: 6.12 Texture Functions
// construct: read with ushort2 and with signed casts
// grid: 1
// texture: t r32float 2 2: 1 2 3 4
// out: o float 4 3
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float, access::read> t [[texture(0)]], device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int x = 1 - int(i);
  o[0] = t.read(ushort2(1, 1)).x;
  o[1] = t.read(uint2(x - 1, x)).x;
}
