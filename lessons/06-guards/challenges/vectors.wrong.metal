// wrong: writes four where one is left
#include <metal_stdlib>
using namespace metal;

kernel void scale(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant uint      &n [[buffer(2)]],
                  uint i [[thread_position_in_grid]],
                  uint threads [[threads_per_grid]]) {
  uint first = i * 4;
  if (first < n) {
    *(device float4 *)(y + first) = 2 * *(device const float4 *)(x + first);
  } else {
    for (uint j = first; j < n; j++) y[j] = 2 * x[j];
  }
}
