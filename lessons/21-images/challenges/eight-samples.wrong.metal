#include <metal_stdlib>
using namespace metal;

constexpr sampler s(coord::pixel, address::clamp_to_edge);

static float grey(texture2d<float> t, int2 at) {
  float4 colour = t.sample(s, float2(at) + 0.5f);
  return dot(colour.rgb, float3(0.299, 0.587, 0.114));
}

kernel void edges(texture2d<float> picture [[texture(0)]],
                  texture2d<float, access::write> result [[texture(1)]],
                  uint2 at [[thread_position_in_grid]]) {
  int2 p = int2(at);
  float a = grey(picture, p + int2(-1, -1)), b = grey(picture, p + int2(0, -1));
  float c = grey(picture, p + int2(1, -1)), d = grey(picture, p + int2(-1, 0));
  float f = grey(picture, p + int2(1, 0)), g = grey(picture, p + int2(-1, 1));
  float h = grey(picture, p + int2(0, 1)), i = grey(picture, p + int2(1, 1));
  float across = (c + 2 * f + i) - (a + 2 * d + g);
  float down = (g + 2 * h + i) - (a + b + c);
  result.write(float4(length(float2(across, down))), at);
}
