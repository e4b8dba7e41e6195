// wrong: each lane has its own largest
#include <metal_stdlib>
using namespace metal;

kernel void normalise(device const float *x [[buffer(0)]],
                      device float       *y [[buffer(1)]],
                      constant uint &length [[buffer(2)]],
                      constant uint &count  [[buffer(3)]],
                      uint v    [[threadgroup_position_in_grid]],
                      uint lane [[thread_index_in_simdgroup]]) {
  float mine[4] = {}, largest = 0;
  for (uint k = 0; k < 4; k++) {
    uint at = lane + 32 * k;
    if (at < length) mine[k] = x[v * length + at];
    largest = max(largest, abs(mine[k]));
  }
  for (uint k = 0; k < 4; k++) {
    uint at = lane + 32 * k;
    if (at < length) y[v * length + at] = largest > 0 ? mine[k] / largest : 0;
  }
}
