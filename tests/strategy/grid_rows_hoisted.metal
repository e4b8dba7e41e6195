// Along a row of the grid, the vectors of which all lanes are in the grid have
// a loop of their own, without a mask and without what is the same for the row;
// there are no others if the rows are multiples of 32.
// GROUP: 8 8
// WIDE: yes
// ALL: 2 loads, contiguous
// X86-NOT: test
// X86-LOOP-NOT: imul
// X86-LOOP-NOT: vpcmp
// NEON-LOOP-NOT: mul
// NEON-LOOP-NOT: madd
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in, device uint *out, constant uint &n,
              uint3 at [[thread_position_in_grid]],
              uint3 size [[threads_per_grid]]) {
  uint i = (at.z * size.y + at.y) * size.x + at.x;
  out[i] = in[i] + in[at.x + (at.y & 3u) * (n & 255u)];
}
