// wrong: what was summed up is not scaled down
#include <metal_stdlib>
using namespace metal;

kernel void softmax(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint &columns [[buffer(2)]],
                    uint row  [[threadgroup_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]]) {
  device const float *in = x + row * columns;
  device float *out = y + row * columns;
  float m = -INFINITY, sum = 0;
  for (uint i = lane; i < columns; i += 32) {
    float v = in[i], larger = max(m, v);
    sum = sum + exp(v - larger);
    m = larger;
  }
  float most = simd_max(m);
  sum = simd_sum(m > -INFINITY ? sum * exp(m - most) : 0);
  for (uint i = lane; i < columns; i += 32) out[i] = exp(in[i] - most) / sum;
}
