// A shared array that each lane indexes for itself is plain memory for a
// gather.
// ALL: load, gather
// ALL-NOT: private array
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint table[32];
  for (uint j = 0; j < 32u; j++) table[j] = j * n;
  out[i] = table[in[i] & 31u];
}
