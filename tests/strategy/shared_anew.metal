// In a loop that goes around a divergent one, an array that begins anew each
// time.
// ALL-NOT: private array
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint sum = 0;
  for (uint r = 0; r < n; r++) {
    uint trail[16];
    for (uint j = 0; j < (in[i + r] & 15u); j++) {
      trail[j] = j * n + r;
      sum += trail[j / 2u] ^ in[i];
    }
  }
  out[i] = sum;
}
