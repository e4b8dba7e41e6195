// wrong: the pairs change places, their elements do not
#include <metal_stdlib>
using namespace metal;

kernel void reverse(device const float2 *x [[buffer(0)]],
                    device float2       *y [[buffer(1)]],
                    constant uint       &n [[buffer(2)]],
                    uint i       [[thread_position_in_grid]],
                    uint threads [[threads_per_grid]]) {
  y[i] = x[threads - 1 - i];
}
