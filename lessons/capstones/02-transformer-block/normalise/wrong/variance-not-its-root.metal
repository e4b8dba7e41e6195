#include <metal_stdlib>
using namespace metal;

kernel void normalise(device const float *x     [[buffer(0)]],
                      device const float *gain  [[buffer(1)]],
                      device const float *shift [[buffer(2)]],
                      device float *y           [[buffer(3)]],
                      constant uint &width      [[buffer(4)]],
                      uint row  [[threadgroup_position_in_grid]],
                      uint lane [[thread_index_in_simdgroup]]) {
  device const float *in = x + row * width;
  device float *out = y + row * width;
  float sum = 0;
  for (uint i = lane; i < width; i += 32) sum += in[i];
  float mean = simd_sum(sum) / width;
  float squares = 0;
  for (uint i = lane; i < width; i += 32)
    squares += (in[i] - mean) * (in[i] - mean);
  float scale = 1 / (simd_sum(squares) / width + 1e-5f);
  for (uint i = lane; i < width; i += 32)
    out[i] = gain[i] * (in[i] - mean) * scale + shift[i];
}
