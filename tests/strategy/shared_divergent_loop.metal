// Stored and loaded in a loop that lanes leave at different times, and not
// after it: the lanes that are left have done the same.
// ALL-NOT: private array
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint trail[16], sum = 0;
  for (uint j = 0; j < (in[i] & 31u); j++) {
    trail[j & 15u] = j * n;
    sum += trail[(j / 2u) & 15u] ^ in[i];
  }
  out[i] = sum;
}
