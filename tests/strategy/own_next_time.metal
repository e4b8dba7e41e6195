// Stored and loaded in a divergent loop inside of another loop: a lane that
// left early comes back.
// ALL: load, private array
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint trail[16], sum = 0;
  for (uint j = 0; j < 16u; j++) trail[j * n & 15u] = j;
  for (uint r = 0; r < n; r++)
    for (uint j = 0; j < (in[i + r] & 15u); j++) {
      sum += trail[(j + r) & 15u] ^ in[i];
      trail[j & 15u] = j * n + r;
    }
  out[i] = sum;
}
