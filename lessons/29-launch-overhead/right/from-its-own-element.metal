#include <metal_stdlib>
using namespace metal;

kernel void normalise(device const float *x [[buffer(0)]],
                      device float       *y [[buffer(1)]],
                      constant uint &length [[buffer(2)]],
                      constant uint &count  [[buffer(3)]],
                      uint2 at [[thread_position_in_grid]]) {
  // begins at its own element and goes round
  uint first = at.y * length, k = at.x;
  float mine = x[first + k], largest = abs(mine);
  for (uint left = 1; left < length; left++) {
    k = k + 1 < length ? k + 1 : 0;
    largest = max(largest, abs(x[first + k]));
  }
  y[first + at.x] = largest > 0 ? mine / largest : 0;
}
