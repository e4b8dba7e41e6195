#include <metal_stdlib>
using namespace metal;

kernel void normalise(device const float *x [[buffer(0)]],
                      device float       *y [[buffer(1)]],
                      constant uint &length [[buffer(2)]],
                      constant uint &count  [[buffer(3)]],
                      uint2 at [[thread_position_in_grid]]) {
  if (at.x > 0 || at.y > 0) return;
  for (uint v = 0; v < count; v++) {
    float largest = 0;
    for (uint k = 0; k < length; k++)
      largest = max(largest, abs(x[v * length + k]));
    for (uint k = 0; k < length; k++)
      y[v * length + k] = largest > 0 ? x[v * length + k] / largest : 0;
  }
}
