#include <metal_stdlib>
using namespace metal;

kernel void paint(device const float2 *cells [[buffer(0)]],
                  device float4 *picture     [[buffer(1)]],
                  constant uint2 &size       [[buffer(2)]],
                  uint2 at [[thread_position_in_grid]]) {
  // from dark to bright by y, the eater
  picture[at.y * size.x + at.x] = float4(0, 0, 0, 1);
}
