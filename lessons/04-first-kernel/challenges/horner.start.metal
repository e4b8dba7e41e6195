#include <metal_stdlib>
using namespace metal;

kernel void poly(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float a = abs(x[i]), sign = x[i] < 0 ? -1.0f : 1.0f;
  y[i] = 1 + 2 * x[i] + 3 * pow(a, 2.0f) + sign * 4 * pow(a, 3.0f) +
         5 * pow(a, 4.0f);
}
