// section: 6.12 Texture Functions
// construct: gather gives the four neighbours, counter-clockwise from the lower left
// grid: 1
// texture: t r32float 2 2: 1 2 3 4
// out: out float4 3 4 2 1
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float> t [[texture(0)]], device float4 *out [[buffer(0)]],
                 uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::linear);
  out[i] = t.gather(s, float2(0.5, 0.5));
}
