// Sixteen and twelve numbers of each thread, one after the other; a table of
// constants that is read in between is other memory.
// ALL: line 19: 16 stores, interleaved
// ALL: line 21: 12 stores, interleaved
// X86-NOT: vpscatter
#include <metal_stdlib>
using namespace metal;
constant uint table[4] = {3, 1, 4, 1};
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint own[16], sum = 0;
  for (uint k = 0; k < 16; k++) {
    sum += in[16 * i + k];
    own[k] = sum * n;
  }
  for (uint k = 0; k < 16; k++)
    out[16 * i + k] = own[k] + table[(k + n) % 4];
  for (uint k = 0; k < 12; k++)
    out[16384 + 12 * i + k] = own[k] ^ n;
}
