// section: 6.12 Texture Functions
// construct: a 3 x 3 mean with clamped coordinates
// grid: 3 3
// texture: t r32float 3 3: 9 0 0 0 0 0 0 0 0
// texture: o r32float 3 3:
// pixels: o within 1e-6: 4 2 0 2 1 0 0 0 0
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::sample> t [[texture(0)]],
                 texture2d<float, access::write> o [[texture(1)]],
                 uint2 p [[thread_position_in_grid]]) {
  constexpr sampler s(coord::pixel, address::clamp_to_edge, filter::nearest);
  float sum = 0;
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++) sum += t.sample(s, float2(p) + 0.5f + float2(x, y)).x;
  o.write(float4(sum / 9), p);
}
