// Stored on one side, loaded on the other, and nowhere behind.
// ALL: loads, private array
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint last[16], more[16];
  for (uint j = 0; j < 16u; j++) last[j * n & 15u] = more[j * n & 15u] = j;
  if (in[i] & 1u) {
    last[n & 15u] = 99;
    out[i] = last[in[n] & 15u] + more[n & 15u];
  } else {
    more[n & 15u] = 77;
    out[i] = last[n & 15u] + more[in[n] & 15u];
  }
}
