// nbody.metal - bodies that attract each other, all pairs, with their light
//
// A body is a position and its mass in w; velocities stand beside. The mouse
// pulls, too, while its left button is down.
#include <metal_stdlib>
using namespace metal;

constant uint tile = 128; // bodies that a threadgroup looks at together

kernel void move(device const float4 *previous [[buffer(0)]],
                 device float4 *next [[buffer(1)]],
                 device float4 *velocity [[buffer(2)]],
                 constant uint &count [[buffer(3)]],
                 constant float4 &mouse [[buffer(4)]],
                 constant uint2 &size [[buffer(5)]],
                 uint i [[thread_position_in_grid]],
                 uint lane [[thread_position_in_threadgroup]]) {
  threadgroup float4 near[tile];
  const float soft = 4e-4f, step = 0.004f;
  float4 me = previous[min(i, count - 1)];
  float3 pull = float3(0.0f);
  for (uint first = 0; first < count; first += tile) {
    uint other = first + lane;
    near[lane] = other < count ? previous[other] : float4(0.0f);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < tile; j++) {
      float3 d = near[j].xyz - me.xyz;
      float r = rsqrt(dot(d, d) + soft);
      pull += near[j].w * r * r * r * d;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (i >= count) return;
  if (mouse.z > 0.0f) {
    float2 d = (mouse.xy - 0.5f * float2(size)) / (0.4f * float(size.y)) -
               me.xy;
    float r = rsqrt(dot(d, d) + 0.02f);
    pull.xy += 0.8f * r * r * r * d;
  }
  float3 v = velocity[i].xyz + step * pull;
  velocity[i] = float4(v, 0.0f);
  next[i] = float4(me.xyz + step * v, me.w);
}

// Each body adds light to its pixel and, less, to the four beside it.
kernel void shine(device const float4 *previous [[buffer(0)]],
                  device atomic_uint *light [[buffer(1)]],
                  constant uint &count [[buffer(2)]],
                  constant uint2 &size [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  float2 p = previous[i].xy * 0.4f * float(size.y) + 0.5f * float2(size);
  int2 at = int2(floor(p));
  if (any(at < 1) || at.x > int(size.x) - 2 || at.y > int(size.y) - 2) return;
  uint here = uint(at.y) * size.x + uint(at.x);
  atomic_fetch_add_explicit(&light[here], 160u, memory_order_relaxed);
  atomic_fetch_add_explicit(&light[here - 1], 40u, memory_order_relaxed);
  atomic_fetch_add_explicit(&light[here + 1], 40u, memory_order_relaxed);
  atomic_fetch_add_explicit(&light[here - size.x], 40u, memory_order_relaxed);
  atomic_fetch_add_explicit(&light[here + size.x], 40u, memory_order_relaxed);
}

// The picture from the light, which fades.
kernel void show(device uint *light [[buffer(0)]],
                 texture2d<float, access::write> picture [[texture(0)]],
                 constant uint2 &size [[buffer(1)]],
                 uint2 at [[thread_position_in_grid]]) {
  uint here = at.y * size.x + at.x;
  uint l = light[here];
  float b = 1.0f - exp(-float(l) / 220.0f);
  picture.write(float4(b * b, b * sqrt(b), sqrt(b) * 0.9f * b + 0.1f * b, 1.0f),
                at);
  light[here] = l - (l + 7u) / 8u;
}
