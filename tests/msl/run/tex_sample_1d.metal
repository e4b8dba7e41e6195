// section: 6.12 Texture Functions
// construct: texture1d
// grid: 2
// texture: t r32float 4: 0 1 2 3
// in: c float 0.25 0.5
// out: out float within 1e-06: 0.5 1.5
#include <metal_stdlib>
using namespace metal;

kernel void test(texture1d<float> t [[texture(0)]], device const float *c [[buffer(0)]],
                 device float *out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::linear);
  out[i] = t.sample(s, c[i]).x;
}
