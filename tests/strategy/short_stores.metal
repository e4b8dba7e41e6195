// Five words of each thread with a gap after them, and five at an index without
// a pattern: short vectors, of which the second one begins early.
// ALL: line 14: 5 stores, short vector of each lane
// ALL: line 16: 5 stores, short vector of each lane
// X86-NOT: vpscatter
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint x = in[i] * n;
  for (uint k = 0; k < 5; k++)
    out[9 * i + k] = x + k;
  device uint *at = out + 32768 + 8 * (77 * i & 1023);
  at[0] = x, at[1] = x * 3, at[2] = x * 5, at[3] = x * 7, at[4] = x * 9;
}
