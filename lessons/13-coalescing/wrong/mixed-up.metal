#include <metal_stdlib>
using namespace metal;

kernel void squares(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint      &n [[buffer(2)]],
                    uint i       [[thread_position_in_grid]],
                    uint threads [[threads_per_grid]]) {
  for (uint k = 0; k < 8; k++) {
    uint j = i * 4 + k / 2 * threads * 4 + k % 2;
    if (j < n) y[j] = x[j] * x[j];
  }
}
