#include <metal_stdlib>
using namespace metal;

kernel void softmax(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint      &columns [[buffer(2)]],
                    uint lane [[thread_index_in_simdgroup]],
                    uint row  [[threadgroup_position_in_grid]]) {
  float mine[8], most = -INFINITY, sum = 0;
  device const float *from = x + row * columns;
  uint count = 0;
  for (uint c = lane; c < columns; c += 32)
    most = max(most, mine[count++] = from[c]);
  most = simd_max(most);
  for (uint k = 0; k < count; k++) sum += mine[k] = exp(mine[k] - most);
  sum = 1 / simd_sum(sum);
  for (uint k = 0; k < count; k++)
    y[row * columns + lane + 32 * k] = mine[k] * sum;
}
