#include <metal_stdlib>
using namespace metal;

constant float part = 3.0f / 4.0f;

// Each pixel times amount, kept between 0 and 1, and three quarters of that.
kernel void brighten(device const float *image [[buffer(0)]],
                     device float *out         [[buffer(1)]],
                     constant float &amount    [[buffer(2)]],
                     constant uint &n          [[buffer(3)]],
                     uint i [[thread_position_in_grid]]) {
  if (i < n) {
    float v = image[i] * amount;
    if (v < 0) v = 0;
    if (v > 1) v = 1;
    out[i] = v * 0.75f;
  }
}
