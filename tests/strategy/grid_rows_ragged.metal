// The last vector of a row that is no multiple of 32 has inactive lanes: it is
// in the masked version alone, and the others, in their loop, have no mask.
// GROUP: 8 8
// WIDE: ragged
// ALL: load, contiguous
// AVX512-NOT: $-1,
// X86-LOOP-NOT: vpcmp
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in, device uint *out, constant uint &n,
              uint2 at [[thread_position_in_grid]],
              uint2 size [[threads_per_grid]]) {
  uint i = at.y * size.x + at.x;
  out[i] = in[i] * 3u + n;
}
