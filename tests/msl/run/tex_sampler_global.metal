// section: 6.12 Texture Functions
// construct: a constexpr sampler at program scope
// grid: 2
// texture: t r32float 4 1: 0 1 2 3
// in: c float 0.25 0.5
// out: out float within 1e-6: 0.5 1.5
#include <metal_stdlib>
using namespace metal;

constexpr sampler smooth(coord::normalized, address::clamp_to_edge, filter::linear);
kernel void test(texture2d<float, access::sample> t [[texture(0)]],
                 device const float *c [[buffer(0)]], device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = t.sample(smooth, float2(c[i], 0.5)).x;
}
