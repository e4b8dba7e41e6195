#include <metal_stdlib>
using namespace metal;

kernel void normalise(device const float *x [[buffer(0)]],
                      device float       *y [[buffer(1)]],
                      constant uint &length [[buffer(2)]],
                      constant uint &count  [[buffer(3)]],
                      uint v    [[threadgroup_position_in_grid]],
                      uint lane [[thread_index_in_simdgroup]]) {
  float largest = 0;
  for (uint k = 0; k < length; k++)
    largest = max(largest, abs(x[v * length + k]));
  for (uint k = lane; k < length; k += 32)
    y[v * length + k] = largest > 0 ? x[v * length + k] / largest : 0;
}
