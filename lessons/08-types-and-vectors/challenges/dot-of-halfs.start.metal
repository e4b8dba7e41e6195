#include <metal_stdlib>
using namespace metal;

kernel void dots(device const half *a [[buffer(0)]],
                 device const half *b [[buffer(1)]],
                 device float *out    [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint k = 4 * i; k < 4 * i + 4; k++) sum += float(a[k]) * float(b[k]);
  out[i] = sum;
}
