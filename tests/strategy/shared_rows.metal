// Eight rows of a group share the row of the other factor: sixteen sums in
// registers of AVX-512 for two loads and eight broadcasts.
// GROUP: 32 8
// ALL: 2 loads, contiguous in pieces
// AVX512: 7168(
// ALL-NOT: gather
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *in [[buffer(0)]],
              device float *out [[buffer(1)]],
              constant uint &n [[buffer(2)]],
              uint2 at [[thread_position_in_grid]]) {
  uint row = at.y % 64, column = at.x % 256;
  float sum = 0;
  for (uint i = 0; i < n; i++) sum += in[row * 256 + i] * in[i * 256 + column];
  out[row * 256 + column] = sum;
}
