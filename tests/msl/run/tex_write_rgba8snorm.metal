// section: 6.12 Texture Functions
// construct: rgba8snorm, rg16snorm and rgba8sint: rounded and clamped, a NaN is 0
// grid: 2 1
// in: v float 0.5 -0.5 1.5 -1.5  nan 0.004 -1 1
// texture: a rgba8snorm 2 1: 0 0 0 0  0 0 0 0
// texture: b rg16snorm 2 1: 0 0  0 0
// texture: c rgba8sint 2 1: 0 0 0 0  0 0 0 0
// pixels: a 64 -64 127 -127  0 1 -127 127
// pixels: b 16384 -16384  0 131
// pixels: c 127 -128 127 -128  0 4 -128 127
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *v [[buffer(0)]], texture2d<float, access::write> a [[texture(0)]],
                 texture2d<float, access::write> b [[texture(1)]], texture2d<int, access::write> c [[texture(2)]],
                 uint2 p [[thread_position_in_grid]]) {
  a.write(v[p.x], p);
  b.write(v[p.x], p);
  c.write(int4(select(v[p.x], float4(0), isnan(v[p.x])) * 1000), p);
}
