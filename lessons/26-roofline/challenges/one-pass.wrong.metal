// wrong: not squared
#include <metal_stdlib>
using namespace metal;

kernel void moments(device const float *x   [[buffer(0)]],
                    device float       *out [[buffer(1)]],
                    constant uint &columns  [[buffer(2)]],
                    uint row  [[threadgroup_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]]) {
  float sum = 0, squares = 0;
  for (uint c = lane; c < columns; c += 32) {
    float v = x[row * columns + c];
    sum += v;
    squares += v;
  }
  sum = simd_sum(sum);
  squares = simd_sum(squares);
  if (lane == 0) {
    out[2 * row] = sum;
    out[2 * row + 1] = squares;
  }
}
