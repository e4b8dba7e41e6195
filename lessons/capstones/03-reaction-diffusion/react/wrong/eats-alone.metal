#include <metal_stdlib>
using namespace metal;

kernel void react(device const float2 *previous [[buffer(0)]],
                  device float2 *next           [[buffer(1)]],
                  constant uint2 &size          [[buffer(2)]],
                  constant float &feed          [[buffer(3)]],
                  constant float &kill          [[buffer(4)]],
                  uint2 at [[thread_position_in_grid]]) {
  uint left = (at.x + size.x - 1) % size.x, right = (at.x + 1) % size.x;
  uint up = (at.y + size.y - 1) % size.y, down = (at.y + 1) % size.y;
  uint row = at.y * size.x, i = row + at.x;
  float2 around = previous[row + left] + previous[row + right] +
                  previous[up * size.x + at.x] + previous[down * size.x + at.x];
  float2 v = previous[i];
  float eaten = v.x * v.y;
  next[i] = v + float2(0.2f, 0.1f) * (around - 4 * v) +
            float2(feed * (1 - v.x) - eaten, eaten - (feed + kill) * v.y);
}
