#include <metal_stdlib>
using namespace metal;

// Each pixel becomes the weighted mean of the 5 × 5 around it (a binomial
// filter, close to a Gaussian). The sampler works in pixel coordinates and
// repeats the edge, so that no pixel needs a test.
kernel void blur(texture2d<float, access::sample> source [[texture(0)]],
                 texture2d<float, access::write>  result [[texture(1)]],
                 uint2 at [[thread_position_in_grid]]) {
  constexpr sampler pixels(coord::pixel, address::clamp_to_edge,
                           filter::nearest);
  const float weight[5] = {1, 4, 6, 4, 1};
  if (at.x >= result.get_width() || at.y >= result.get_height()) return;
  float4 sum = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      float2 where = float2(at) + float2(dx, dy) + 0.5f;  // a pixel's centre
      sum += weight[dx + 2] * weight[dy + 2] * source.sample(pixels, where);
    }
  result.write(sum / 256, at);
}
