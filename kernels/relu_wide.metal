#include <metal_stdlib>
using namespace metal;

// y = x where x is positive, else 0, with four elements per thread, as
// add_wide.
kernel void relu_wide(device const float *x [[buffer(0)]],
                      device float       *y [[buffer(1)]],
                      constant uint      &n [[buffer(2)]],
                      uint i [[thread_position_in_grid]]) {
  uint first = 4 * i;
  if (first + 4 <= n) {
    float4 v = *(device const float4 *)(x + first);
    *(device float4 *)(y + first) = max(v, 0.0f);
  } else {
    for (uint j = first; j < n; j++) y[j] = max(x[j], 0.0f);
  }
}
