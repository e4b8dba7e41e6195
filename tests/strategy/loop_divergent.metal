// Lanes leave the loop at different times, and it is plain arithmetic: a vector
// to the end.
// ALL: loop, divergent
// ALL-NOT: one at a time
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  uint x = in[i] & 4095u, steps = 0;
  while (x > 1u) {
    x = x & 1u ? x - 1u : x / 2u;
    steps++;
  }
  out[i] = steps;
}
