// section: 6.12 Texture Functions
// construct: a sampler as argument of a function, and one chosen by ?:
// grid: 2
// repeats: no
// texture: t r32float 2 1: 10 20
// sampler: s linear
// out: o float 15 20
#include <metal_stdlib>
using namespace metal;
static float middle(texture2d<float> t, sampler s, uint i) {
  constexpr sampler n(filter::nearest);
  return i ? t.sample(n, float2(0.5f)).x : t.sample(s, float2(0.5f)).x;
}
kernel void k(texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]], device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  o[i] = middle(t, s, i);
}
