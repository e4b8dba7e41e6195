// No thread can tell which threadgroup it is in: a group of 8 x 8 is run as 32
// threads of a row, and each load is contiguous.
// GROUP: 8 8
// WIDE: yes
// ALL: 3 loads, contiguous
// ALL-NOT: pieces
// ALL-NOT: gather
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in, device uint *out, constant uint &n,
              uint3 at [[thread_position_in_grid]],
              uint3 size [[threads_per_grid]]) {
  uint i = (at.z * size.y + at.y) * size.x + at.x;
  out[i] = in[i] + in[i + 1] + in[i + size.x] + n;
}
