// wrong: three of four
#include <metal_stdlib>
using namespace metal;

kernel void scale(device const float4 *x [[buffer(0)]],
                  device float4       *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  y[i].xyz = 3 * x[i].xyz;
}
