#include <metal_stdlib>
using namespace metal;

kernel void reverse_groups(device const float *x [[buffer(0)]],
                           device float       *y [[buffer(1)]],
                           uint i [[thread_position_in_grid]],
                           uint t [[thread_position_in_threadgroup]]) {
  y[i] = x[i - t + 63 - t];
}
