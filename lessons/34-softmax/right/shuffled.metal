#include <metal_stdlib>
using namespace metal;

kernel void softmax(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint &columns [[buffer(2)]],
                    uint row  [[threadgroup_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]]) {
  uint first = row * columns;
  float m = -INFINITY;
  for (uint i = lane; i < columns; i += 32) m = max(m, x[first + i]);
  for (ushort d = 16; d > 0; d /= 2) m = max(m, simd_shuffle_xor(m, d));
  float sum = 0;
  for (uint i = lane; i < columns; i += 32) sum += exp(x[first + i] - m);
  for (ushort d = 16; d > 0; d /= 2) sum += simd_shuffle_xor(sum, d);
  float scale = 1 / sum;
  for (uint i = lane; i < columns; i += 32)
    y[first + i] = exp(x[first + i] - m) * scale;
}
