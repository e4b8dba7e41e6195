// An index that was a float is not compared with a run: noise and resampling
// pick elements apart.
// ALL: load, gather: its index follows no known pattern
// ALL-NOT: run-time test
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *in [[buffer(0)]],
              device uint *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  out[i] = in[uint(floor(float(i) * (1.0f / float(n | 3u)))) & 255u];
}
