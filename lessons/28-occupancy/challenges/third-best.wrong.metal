#include <metal_stdlib>
using namespace metal;

kernel void third(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]],
                  uint n [[threads_per_grid]]) {
  float a = 0, b = 0, c = 0;
  for (uint k = 0; k < 32; k++) {
    float v = x[i + k * n];
    if (v > a) { c = b; b = a; a = v; } // a number between them is lost
  }
  y[i] = c;
}
