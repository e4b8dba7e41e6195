// Stored in a loop that lanes leave at different times, and loaded after it.
// ALL: loads, private array
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint trail[32];
  for (uint j = 0; j < 32u; j++) trail[j] = n;
  for (uint j = 0; j < (in[i] & 31u); j++) trail[j] = j * n;
  out[i] = trail[n & 31u] + trail[(n + 9u) & 31u];
}
