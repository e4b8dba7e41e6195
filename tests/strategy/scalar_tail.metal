// Lanes leave the loop at different times, and its iterations are expensive as
// vectors: the last ones finish one at a time.
// ALL: loop, divergent, the last
// ALL: lanes one at a time
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint x = in[i] & 4095u, steps = 0;
  while (x > 7u && steps < 300u) {
    x = in[x] % (x + 1u);
    steps++;
  }
  out[i] = steps;
}
