#include <metal_stdlib>
using namespace metal;

// what cancels inside is needed at the end
kernel void energy(device const float *x   [[buffer(0)]],
                   device float       *out [[buffer(1)]],
                   constant uint      &n   [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  float here = x[i], right = x[min(i + 1, n - 1)], far = x[min(i + 2, n - 1)];
  float slope = right - here;
  out[i] = slope * slope + (here + right + far) / 3;
}
