#include <metal_stdlib>
using namespace metal;

kernel void normalise(device const float *x [[buffer(0)]],
                      device float       *y [[buffer(1)]],
                      constant uint &length [[buffer(2)]],
                      constant uint &count  [[buffer(3)]],
                      uint v [[thread_position_in_grid]]) {
  float largest = 0;
  for (uint k = 8 * v; k < 8 * v + 8; k++) largest = max(largest, abs(x[k]));
  for (uint k = 8 * v; k < 8 * v + 8; k++)
    y[k] = largest > 0 ? x[k] / largest : 0;
}
