#include <metal_stdlib>
using namespace metal;

kernel void spread(device const float2 *previous [[buffer(0)]],
                   device float2 *next           [[buffer(1)]],
                   constant uint2 &size          [[buffer(2)]],
                   constant float2 &rate         [[buffer(3)]],
                   uint2 at [[thread_position_in_grid]]) {
  uint left = (at.x + size.x - 1) % size.x, right = (at.x + 1) % size.x;
  uint up = (at.y + size.y - 1) % size.y, down = (at.y + 1) % size.y;
  uint row = at.x * size.x, i = row + at.y;
  float2 around = previous[row + left] + previous[row + right] +
                  previous[up * size.x + at.x] + previous[down * size.x + at.x];
  next[i] = previous[i] + rate * (around - 4 * previous[i]);
}
