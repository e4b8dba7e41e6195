#include <metal_stdlib>
using namespace metal;

kernel void third(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]],
                  uint n [[threads_per_grid]]) {
  float a = 0, b = 0, c = 0; // the numbers are positive
  for (uint k = 0; k < 32; k++) {
    float v = x[i + k * n], w = min(a, v);
    a = max(a, v);
    v = min(b, w);
    b = max(b, w);
    c = max(c, v);
  }
  y[i] = c;
}
