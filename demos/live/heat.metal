// heat.metal - a plate that conducts heat; the mouse is a torch
//
// Two hot spots go round; the left button heats where the mouse is. The edges
// are kept cold.
#include <metal_stdlib>
using namespace metal;

kernel void heat(device const float *previous [[buffer(0)]],
                 device float *next [[buffer(1)]],
                 texture2d<float, access::write> picture [[texture(0)]],
                 constant uint2 &size [[buffer(2)]],
                 constant float4 &mouse [[buffer(3)]],
                 constant float &time [[buffer(4)]],
                 uint2 at [[thread_position_in_grid]]) {
  uint here = at.y * size.x + at.x;
  bool edge = at.x == 0 || at.y == 0 || at.x + 1 == size.x ||
              at.y + 1 == size.y;
  float t = 0.0f;
  if (!edge) {
    float sides = previous[here - 1] + previous[here + 1] +
                  previous[here - size.x] + previous[here + size.x];
    float corners = previous[here - size.x - 1] + previous[here - size.x + 1]
                  + previous[here + size.x - 1] + previous[here + size.x + 1];
    float old = previous[here];
    t = old + 0.6f * (0.2f * sides + 0.05f * corners - old);
  }
  float2 p = float2(at), middle = 0.5f * float2(size);
  float2 spot = 0.3f * float(size.y) * float2(cos(time), sin(time));
  float radius = 0.02f * float(size.y);
  if (distance(p, middle + spot) < radius ||
      distance(p, middle - spot) < radius)
    t = 1.0f;
  if (mouse.z > 0.0f && distance(p, mouse.xy) < 1.5f * radius) t = 1.0f;
  next[here] = t;
  float3 glow = saturate(float3(3.0f * t, 3.0f * t - 1.0f, 3.0f * t - 2.0f));
  float blue = 0.12f * saturate(8.0f * t) * (1.0f - t);
  picture.write(float4(glow + float3(0.0f, 0.0f, blue), 1.0f), at);
}
