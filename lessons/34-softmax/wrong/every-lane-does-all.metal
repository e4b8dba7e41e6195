#include <metal_stdlib>
using namespace metal;

kernel void softmax(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint &columns [[buffer(2)]],
                    uint row  [[threadgroup_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]]) {
  device const float *in = x + row * columns;
  float m = -INFINITY, sum = 0;
  for (uint i = 0; i < columns; i++) m = max(m, in[i]);
  for (uint i = 0; i < columns; i++) sum += exp(in[i] - m);
  for (uint i = lane; i < columns; i += 32)
    y[row * columns + i] = exp(in[i] - m) / sum;
}
