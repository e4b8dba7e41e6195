#include <metal_stdlib>
using namespace metal;

kernel void moments(device const float *x   [[buffer(0)]],
                    device float       *out [[buffer(1)]],
                    constant uint &columns  [[buffer(2)]],
                    uint row  [[threadgroup_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]]) {
  float sum = 0, squares = 0;
  for (uint c = lane; c < columns; c += 32) sum += x[row * columns + c];
  sum = simd_sum(sum);
  if (lane == 0) out[2 * row] = sum;
  for (uint c = lane; c < columns; c += 32)
    squares += x[row * columns + c] * x[row * columns + c];
  squares = simd_sum(squares);
  if (lane == 0) out[2 * row + 1] = squares;
}
