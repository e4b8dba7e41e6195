// The rows of a group share what their loops load.
// GROUP: 8 8
// WIDE: yes
// ALL: in pieces
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in, device uint *out, constant uint &n,
              uint3 at [[thread_position_in_grid]],
              uint3 size [[threads_per_grid]]) {
  uint i = (at.z * size.y + at.y) * size.x + at.x, sum = 0;
  for (uint j = 0; j < n; j++) sum ^= in[at.x + 64 * j] + j;
  out[i] = sum;
}
