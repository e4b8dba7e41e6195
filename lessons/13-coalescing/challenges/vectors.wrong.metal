// wrong: n counts floats
#include <metal_stdlib>
using namespace metal;

kernel void squares(device const float4 *x [[buffer(0)]],
                    device float4       *y [[buffer(1)]],
                    constant uint       &n [[buffer(2)]],
                    uint i       [[thread_position_in_grid]],
                    uint threads [[threads_per_grid]]) {
  for (uint j = i; j < n; j += threads) y[j] = x[j] * x[j];
}
