#include <metal_stdlib>
using namespace metal;

kernel void react(device const float2 *previous [[buffer(0)]],
                  device float2 *next           [[buffer(1)]],
                  constant uint2 &size          [[buffer(2)]],
                  constant float &feed          [[buffer(3)]],
                  constant float &kill          [[buffer(4)]],
                  uint2 at [[thread_position_in_grid]]) {
  // what you wrote for spread, with the rates 0.2 and 0.1, then the reaction
  uint i = at.y * size.x + at.x;
  float2 v = previous[i];
  next[i] = v + feed - kill;
}
