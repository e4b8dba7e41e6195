#include <metal_stdlib>
using namespace metal;

kernel void shares(device const float *x  [[buffer(0)]],
                   device float *y        [[buffer(1)]],
                   constant uint &columns [[buffer(2)]],
                   uint row  [[threadgroup_position_in_grid]],
                   uint lane [[thread_index_in_simdgroup]]) {
  device const float *in = x + row * columns;
  device float *out = y + row * columns;
  float sum = 0;
  for (uint c = lane; c < columns; c += 32) sum += in[c];
  for (ushort d = 1; d < 32; d *= 2) sum += simd_shuffle_xor(sum, d);
  for (uint c = lane; c < columns; c += 32) out[c] = in[c] / sum;
}
