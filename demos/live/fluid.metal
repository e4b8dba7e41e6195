// fluid.metal - smoke that two jets and the mouse stir (Stam's stable fluids)
//
// Velocities live on a grid of half the picture's sides, in cells a second;
// the smoke has the picture's own. Each step: move the velocities along
// themselves, push, then take away what would compress the fluid.
#include <metal_stdlib>
using namespace metal;

static float2 sample(device const float2 *field, float2 p, uint2 size) {
  p = clamp(p, float2(0.0f), float2(size) - 1.001f);
  uint2 c = uint2(p);
  float2 f = p - float2(c);
  uint i = c.y * size.x + c.x;
  return mix(mix(field[i], field[i + 1], f.x),
             mix(field[i + size.x], field[i + size.x + 1], f.x), f.y);
}

// Velocities move along themselves; jets and the mouse push.
kernel void push(device const float2 *velocity_in [[buffer(0)]],
                 device float2 *velocity_out [[buffer(1)]],
                 constant uint2 &cells [[buffer(2)]],
                 // where the mouse is, how it moves
                 constant float4 &hand [[buffer(3)]],
                 constant float &time [[buffer(4)]],
                 uint2 at [[thread_position_in_grid]]) {
  const float dt = 1.0f / 60.0f;
  uint here = at.y * cells.x + at.x;
  float2 p = float2(at);
  float2 v = 0.999f * sample(velocity_in, p - dt * velocity_in[here], cells);
  float2 full = float2(cells);
  float sway = 0.15f * full.x * sin(0.7f * time);
  float2 low = p - float2(0.5f * full.x + sway, 0.92f * full.y);
  float2 high = p - float2(0.5f * full.x - sway, 0.08f * full.y);
  float width = 0.0006f * full.x * full.x;
  v.y -= 6.0f * exp(-dot(low, low) / width);
  v.y += 6.0f * exp(-dot(high, high) / width);
  float2 d = p - hand.xy;
  v += hand.zw * exp(-dot(d, d) / (2.0f * width));
  bool wall = at.x == 0 || at.y == 0 || at.x + 1 == cells.x ||
              at.y + 1 == cells.y;
  velocity_out[here] = wall ? float2(0.0f) : v;
}

kernel void diverge(device const float2 *velocity_in [[buffer(0)]],
                    device float *divergence [[buffer(1)]],
                    device float *pressure_in [[buffer(2)]],
                    constant uint2 &cells [[buffer(3)]],
                    uint2 at [[thread_position_in_grid]]) {
  uint here = at.y * cells.x + at.x;
  bool wall = at.x == 0 || at.y == 0 || at.x + 1 == cells.x ||
              at.y + 1 == cells.y;
  float d = 0.0f;
  if (!wall)
    d = 0.5f * (velocity_in[here + 1].x - velocity_in[here - 1].x +
                velocity_in[here + cells.x].y - velocity_in[here - cells.x].y);
  divergence[here] = d;
  pressure_in[here] *= 0.8f; // the last step's is a good guess
}

// One step of Jacobi's method; the edges have the pressure beside them.
kernel void press(device const float *pressure_in [[buffer(0)]],
                  device float *pressure_out [[buffer(1)]],
                  device const float *divergence [[buffer(2)]],
                  constant uint2 &cells [[buffer(3)]],
                  uint2 at [[thread_position_in_grid]]) {
  uint2 a = clamp(at, uint2(1), cells - 2u);
  uint here = a.y * cells.x + a.x;
  float sum = pressure_in[here - 1] + pressure_in[here + 1] +
              pressure_in[here - cells.x] + pressure_in[here + cells.x];
  pressure_out[at.y * cells.x + at.x] = 0.25f * (sum - divergence[here]);
}

kernel void project(device const float2 *velocity_in [[buffer(0)]],
                    device float2 *velocity_out [[buffer(1)]],
                    device const float *pressure_in [[buffer(2)]],
                    constant uint2 &cells [[buffer(3)]],
                    uint2 at [[thread_position_in_grid]]) {
  uint here = at.y * cells.x + at.x;
  bool wall = at.x == 0 || at.y == 0 || at.x + 1 == cells.x ||
              at.y + 1 == cells.y;
  float2 v = float2(0.0f);
  if (!wall)
    v = velocity_in[here] -
        0.5f * float2(pressure_in[here + 1] - pressure_in[here - 1],
                      pressure_in[here + cells.x] -
                          pressure_in[here - cells.x]);
  velocity_out[here] = v;
}

// Smoke of two colours moves along the velocities and becomes the picture.
kernel void smoke(device const float2 *smoke_in [[buffer(0)]],
                  device float2 *smoke_out [[buffer(1)]],
                  device const float2 *velocity_in [[buffer(2)]],
                  texture2d<float, access::write> picture [[texture(0)]],
                  constant uint2 &cells [[buffer(3)]],
                  constant uint2 &size [[buffer(4)]],
                  constant float4 &hand [[buffer(5)]],
                  constant float &time [[buffer(6)]],
                  uint2 at [[thread_position_in_grid]]) {
  const float dt = 1.0f / 60.0f;
  float2 p = float2(at), full = float2(size);
  float2 scale = float2(cells) / full;
  float2 v = sample(velocity_in, p * scale, cells) / scale;
  float2 s = 0.997f * sample(smoke_in, p - dt * v, size);
  float sway = 0.15f * full.x * sin(0.7f * time);
  float2 low = p - float2(0.5f * full.x + sway, 0.92f * full.y);
  float2 high = p - float2(0.5f * full.x - sway, 0.08f * full.y);
  float width = 0.0006f * full.x * full.x;
  s.x += 0.25f * exp(-dot(low, low) / width);
  s.y += 0.25f * exp(-dot(high, high) / width);
  float2 d = p - hand.xy / scale;
  s += 0.1f * saturate(length(hand.zw)) * exp(-dot(d, d) / (2.0f * width));
  s = min(s, 1.5f);
  smoke_out[at.y * size.x + at.x] = s;
  float3 colour = s.x * float3(1.0f, 0.35f, 0.1f) +
                  s.y * float3(0.1f, 0.45f, 1.0f);
  picture.write(float4(1.0f - exp(-1.6f * colour), 1.0f), at);
}
