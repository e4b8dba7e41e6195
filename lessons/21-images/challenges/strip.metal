#include <metal_stdlib>
using namespace metal;

constexpr sampler s(coord::pixel, address::clamp_to_edge);

static float grey(texture2d<float> t, int2 at) {
  float4 colour = t.sample(s, float2(at) + 0.5f);
  return dot(colour.rgb, float3(0.299, 0.587, 0.114));
}

// What a row of three pixels gives: x to the difference across, y to that down.
static float2 row(texture2d<float> t, int2 at) {
  float a = grey(t, at - int2(1, 0)), b = grey(t, at);
  float c = grey(t, at + int2(1, 0));
  return float2(c - a, a + 2 * b + c);
}

kernel void edges(texture2d<float> picture [[texture(0)]],
                  texture2d<float, access::write> result [[texture(1)]],
                  uint2 at [[thread_position_in_grid]]) {
  int2 p = int2(at.x, 4 * at.y);
  float2 top = row(picture, p - int2(0, 1)), middle = row(picture, p);
  for (int k = 0; k < 4; k++) {
    float2 bottom = row(picture, p + int2(0, k + 1));
    float across = top.x + 2 * middle.x + bottom.x;
    result.write(float4(length(float2(across, bottom.y - top.y))),
                 uint2(p + int2(0, k)));
    top = middle;
    middle = bottom;
  }
}
