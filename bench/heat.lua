-- heat.lua - a kernel of twenty lines on a grid, as a learner types it, with a
-- %d in it, so that each can be another that no cache knows.
return [=[
#include <metal_stdlib>
using namespace metal;
kernel void heat(device const float *from [[buffer(0)]],
                 device float       *to   [[buffer(1)]],
                 constant uint &width  [[buffer(2)]],
                 constant uint &height [[buffer(3)]],
                 uint2 at [[thread_position_in_grid]]) {
  if (at.x >= width || at.y >= height) return;
  uint left  = at.x > 0 ? at.x - 1 : at.x;
  uint right = at.x + 1 < width ? at.x + 1 : at.x;
  uint above = at.y > 0 ? at.y - 1 : at.y;
  uint below = at.y + 1 < height ? at.y + 1 : at.y;
  float here = from[at.y * width + at.x];
  float sum = from[at.y * width + left] + from[at.y * width + right];
  sum += from[above * width + at.x] + from[below * width + at.x];
  float next = here + 0.1f * (sum - 4 * here);
  if (next > %d) next = sqrt(next);
  to[at.y * width + at.x] = next;
}
]=]
