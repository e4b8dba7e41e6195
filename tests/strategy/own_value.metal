// Something varying is stored.
// ALL: store, private array
// ALL: load, private array
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint last[16];
  for (uint j = 0; j < 16u; j++) last[j * n & 15u] = j;
  for (uint j = 0; j < n; j++) last[j & 15u] ^= in[i + j];
  out[i] = last[n & 15u];
}
