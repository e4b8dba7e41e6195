// plasma.metal - a sum of waves, coloured by a palette of cosines
#include <metal_stdlib>
using namespace metal;

kernel void plasma(texture2d<float, access::write> picture [[texture(0)]],
                   constant float &time [[buffer(0)]],
                   constant uint2 &size [[buffer(1)]],
                   uint2 at [[thread_position_in_grid]]) {
  float2 p = (float2(at) + 0.5f) / float(size.y) * 8.0f - 4.0f;
  float wave = sin(p.x + time);
  wave += sin(0.7f * p.y + 1.3f * time);
  wave += sin(0.6f * (p.x + p.y) + 0.7f * time);
  float2 centre = 2.0f * float2(sin(0.5f * time), cos(0.33f * time));
  wave += sin(1.5f * length(p - centre) - time);
  float3 colour = 0.5f + 0.5f * cos(1.6f * wave + float3(0.0f, 2.1f, 4.2f));
  picture.write(float4(colour, 1.0f), at);
}
