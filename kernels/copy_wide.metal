#include <metal_stdlib>
using namespace metal;

// y = x with four elements per thread, as add_wide.
kernel void copy_wide(device const float *x [[buffer(0)]],
                      device float       *y [[buffer(1)]],
                      constant uint      &n [[buffer(2)]],
                      uint i [[thread_position_in_grid]]) {
  uint first = 4 * i;
  if (first + 4 <= n)
    *(device float4 *)(y + first) = *(device const float4 *)(x + first);
  else
    for (uint j = first; j < n; j++) y[j] = x[j];
}
