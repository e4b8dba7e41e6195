#include <metal_stdlib>
using namespace metal;

kernel void waves(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = sin(x[i] + (i % 2) * M_PI_F); // half a turn
}
