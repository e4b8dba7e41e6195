#include <metal_stdlib>
using namespace metal;

kernel void number(device uint *out [[buffer(0)]],
                   uint3 p    [[thread_position_in_grid]],
                   uint3 size [[threads_per_grid]]) {
  uint plane = size.x * size.y, row = size.x;
  out[p.z * plane + p.y * row + p.x] =
      10 * p.z * plane + 10 * p.y * row + 10 * p.x;
}
