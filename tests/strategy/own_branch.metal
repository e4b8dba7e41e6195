// Stored on one side of a divergent branch and loaded behind it: each lane
// needs its own.
// ALL: store, private array
// ALL: loads, private array
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint last[16];
  for (uint j = 0; j < 16u; j++) last[j * n & 15u] = j;
  if (in[i] & 1u) last[n & 15u] = 99;
  out[i] = last[n & 15u] + last[(n + 3u) & 15u];
}
