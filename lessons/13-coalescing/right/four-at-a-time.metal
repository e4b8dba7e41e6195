#include <metal_stdlib>
using namespace metal;

kernel void squares(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint      &n [[buffer(2)]],
                    uint i       [[thread_position_in_grid]],
                    uint threads [[threads_per_grid]]) {
  uint whole = n / 4;
  for (uint j = i; j < whole; j += threads) {
    float4 v = ((device const float4 *)x)[j];
    ((device float4 *)y)[j] = v * v;
  }
  if (i < n - whole * 4) y[whole * 4 + i] = x[whole * 4 + i] * x[whole * 4 + i];
  if (threads < n - whole * 4 && i == 0)
    for (uint j = whole * 4 + threads; j < n; j++) y[j] = x[j] * x[j];
}
