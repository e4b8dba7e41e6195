// reaction.metal - reaction and diffusion of two substances (Gray and Scott)
//
// x is the food, y what eats it; the mouse's left button drops some y.
#include <metal_stdlib>
using namespace metal;

kernel void seed(device float2 *next [[buffer(0)]],
                 constant uint2 &size [[buffer(1)]],
                 uint2 at [[thread_position_in_grid]]) {
  uint apart = max(size.y / 5u, 24u);
  float2 cell = float2(at % apart) - 0.5f * float(apart);
  uint2 which = at / apart;
  bool spot = dot(cell, cell) <
              30.0f + 40.0f * float((which.x * 5u + which.y * 3u) % 4u);
  next[at.y * size.x + at.x] = spot ? float2(0.5f, 0.5f) : float2(1.0f, 0.0f);
}

kernel void react(device const float2 *previous [[buffer(0)]],
                  device float2 *next [[buffer(1)]],
                  constant uint2 &size [[buffer(2)]],
                  constant float4 &mouse [[buffer(3)]],
                  uint2 at [[thread_position_in_grid]]) {
  const float feed = 0.037f, kill = 0.06f;
  uint left = at.x == 0 ? size.x - 1 : at.x - 1;
  uint right = at.x + 1 == size.x ? 0 : at.x + 1;
  uint up = (at.y == 0 ? size.y - 1 : at.y - 1) * size.x;
  uint down = (at.y + 1 == size.y ? 0 : at.y + 1) * size.x;
  uint here = at.y * size.x;
  float2 v = previous[here + at.x];
  float2 around = previous[here + left] + previous[here + right] +
                  previous[up + at.x] + previous[down + at.x];
  float2 spread = float2(0.2f, 0.1f) * (around - 4.0f * v);
  float eaten = v.x * v.y * v.y;
  v += spread +
       float2(feed * (1.0f - v.x) - eaten, eaten - (feed + kill) * v.y);
  if (mouse.z > 0.0f && distance(float2(at), mouse.xy) < 8.0f) v.y = 0.5f;
  next[here + at.x] = v;
}

kernel void show(device const float2 *previous [[buffer(0)]],
                 texture2d<float, access::write> picture [[texture(0)]],
                 constant uint2 &size [[buffer(1)]],
                 uint2 at [[thread_position_in_grid]]) {
  float2 v = previous[at.y * size.x + at.x];
  float t = saturate(3.0f * v.y);
  float3 colour =
      mix(float3(0.02f, 0.04f, 0.12f), float3(0.1f, 0.75f, 0.65f), t);
  colour = mix(colour, float3(1.0f, 0.95f, 0.7f), t * t * t);
  picture.write(float4(colour, 1.0f), at);
}
