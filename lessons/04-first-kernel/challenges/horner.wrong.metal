// wrong: the numbers from the wrong end
#include <metal_stdlib>
using namespace metal;

kernel void poly(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float v = x[i];
  y[i] = fma(fma(fma(fma(1.0f, v, 2.0f), v, 3.0f), v, 4.0f), v, 5.0f);
}
