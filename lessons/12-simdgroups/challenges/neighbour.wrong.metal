// wrong: the last lane has no next one
#include <metal_stdlib>
using namespace metal;

kernel void turn(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  y[i] = simd_shuffle_down(x[i], 1);
}
