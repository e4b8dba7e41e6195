#include <metal_stdlib>
using namespace metal;

kernel void normalise(device const float *x [[buffer(0)]],
                      device float       *y [[buffer(1)]],
                      constant uint &length [[buffer(2)]],
                      constant uint &count  [[buffer(3)]],
                      uint2 at [[thread_position_in_grid]]) {
  if (at.y >= count) return;
  uint first = at.y * length;
  float low = 0, high = 0;
  for (uint k = first; k < first + length; k++) {
    low = min(low, x[k]);
    high = max(high, x[k]);
  }
  float largest = max(-low, high);
  y[first + at.x] = 0;
  if (largest > 0) y[first + at.x] = x[first + at.x] / largest;
}
