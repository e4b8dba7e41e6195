// A short loop over bytes of each thread: unrolled, so that the four stores are
// in one block and leave no gap.
// ALL: line 13: 4 stores, interleaved
// ALL-NOT: scatter
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uchar *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint word = in[i] * n;
  for (uint k = 0; k < 4; k++)
    out[4 * i + k] = 65 + (word >> (18 - 6 * k) & 15);
}
