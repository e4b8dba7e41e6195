// section: 6.12 Texture Functions
// construct: repeat, mirrored repeat, clamp to edge and to zero left of the texture
// grid: 4
// repeats: no
// texture: t r32float 4 1: 10 20 30 40
// in: x float -0.125 -0.375 -0.875 -1.125
// out: o float 40 30 10 40
// out: p float 10 20 40 40
// out: q float 10 10 10 10
// out: r float 0 0 0 0
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> t [[texture(0)]], device const float *x [[buffer(0)]], device float *o [[buffer(1)]], device float *p [[buffer(2)]], device float *q [[buffer(3)]], device float *r [[buffer(4)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler a(address::repeat), b(address::mirrored_repeat), c(address::clamp_to_edge), d(address::clamp_to_zero);
  float2 at = float2(x[i], 0.5f);
  o[i] = t.sample(a, at).x;
  p[i] = t.sample(b, at).x;
  q[i] = t.sample(c, at).x;
  r[i] = t.sample(d, at).x;
}
