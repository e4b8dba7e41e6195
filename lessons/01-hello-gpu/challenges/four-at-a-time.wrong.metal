// wrong: the index still counts floats
#include <metal_stdlib>
using namespace metal;

kernel void twice(device const float4 *x [[buffer(0)]],
                  device float4       *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  y[4 * i] = 2 * x[4 * i];
}
