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
  for (int k = 0; k < 4; k++) {
    int2 p = int2(at.x, 4 * at.y + k);
    float across = 0, down = 0;
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        float v = grey(picture, p + int2(dx, dy));
        across += dx * (2 - abs(dy)) * v;
        down += dy * (2 - abs(dx)) * v;
      }
    result.write(float4(length(float2(across, down))), uint2(p));
  }
}
