#include <metal_stdlib>
using namespace metal;

kernel void bend(device const uchar *x [[buffer(0)]],
                 device uchar       *y [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  uint k = x[i];
  y[i] = k * k / 255; // cuts off, does not round
}
