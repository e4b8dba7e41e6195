#include <metal_stdlib>
using namespace metal;

// Edges by Sobel's filter: the frame of the picture is repeated outside it.
kernel void edges(texture2d<float> picture [[texture(0)]],
                  texture2d<float, access::write> result [[texture(1)]],
                  uint2 at [[thread_position_in_grid]]) {
  float4 left = picture.read(uint2(at.x - 1, at.y));
  float4 right = picture.read(uint2(at.x + 1, at.y));
  float across = dot((right - left).rgb, float3(0.299, 0.587, 0.114));
  result.write(float4(abs(across)), at);
}
