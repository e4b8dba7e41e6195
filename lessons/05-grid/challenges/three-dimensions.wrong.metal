// wrong: a layer has size.y rows
#include <metal_stdlib>
using namespace metal;

kernel void number(device uint *out [[buffer(0)]],
                   uint3 p    [[thread_position_in_grid]],
                   uint3 size [[threads_per_grid]]) {
  uint i = (p.z * size.x + p.y) * size.x + p.x;
  out[i] = 10 * i;
}
