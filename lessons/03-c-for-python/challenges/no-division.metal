#include <metal_stdlib>
using namespace metal;

kernel void digits(device const uint *x   [[buffer(0)]],
                   device uint       *out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  uint v = x[i], sum = 0;
  for (int k = 0; k < 5; k++) {
    uint tenth = v / 10;
    sum += v - 10 * tenth;
    v = tenth;
  }
  out[i] = sum;
}
