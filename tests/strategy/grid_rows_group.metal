// It asks for its place in the threadgroup: that stays as it was launched.
// GROUP: 8 8
// WIDE: yes
// ALL: load, contiguous in pieces
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in, device uint *out, constant uint &n,
              uint3 at [[thread_position_in_grid]],
              uint3 size [[threads_per_grid]],
              uint3 in_group [[thread_position_in_threadgroup]]) {
  uint i = (at.z * size.y + at.y) * size.x + at.x;
  out[i] = in[i] + in_group.x + n;
}
