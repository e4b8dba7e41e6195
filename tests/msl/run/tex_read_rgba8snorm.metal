// section: 6.12 Texture Functions
// construct: rgba8snorm, rg16snorm and r8sint: the lowest two numbers are both -1
// grid: 2 1
// texture: a rgba8snorm 2 1: 127 -127 -128 0  0 127 -127 -128
// texture: b rg16snorm 2 1: 32767 -32768  -32767 0
// texture: c r8sint 2 1: -128 127
// out: out float 1 -1 -1 0  1 -1 0 1  -128 0 0 1  0 1 -1 -1  -1 0 0 1  127 0 0 1
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> a [[texture(0)]], texture2d<float, access::read> b [[texture(1)]],
                 texture2d<int, access::read> c [[texture(2)]], device float4 *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.x * 3] = a.read(p);
  out[p.x * 3 + 1] = b.read(p);
  out[p.x * 3 + 2] = float4(c.read(p));
}
