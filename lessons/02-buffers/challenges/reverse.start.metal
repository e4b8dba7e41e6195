#include <metal_stdlib>
using namespace metal;

kernel void reverse(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint      &n [[buffer(2)]],
                    uint i       [[thread_position_in_grid]],
                    uint threads [[threads_per_grid]]) {
  for (uint k = i; k < n; k += threads) y[k] = x[n - 1 - k];
}
