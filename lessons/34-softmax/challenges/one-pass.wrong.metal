// wrong: the scores themselves are divided
#include <metal_stdlib>
using namespace metal;

kernel void softmax(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint &columns [[buffer(2)]],
                    uint row  [[threadgroup_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]]) {
  device const float *in = x + row * columns;
  device float *out = y + row * columns;
  float v[8], m = -INFINITY, sum = 0;
  for (uint k = 0; k < 8; k++) {
    v[k] = lane + 32 * k < columns ? in[lane + 32 * k] : -INFINITY;
    m = max(m, v[k]);
  }
  m = simd_max(m);
  for (uint k = 0; k < 8; k++) sum += exp(v[k] - m);
  sum = simd_sum(sum);
  for (uint k = 0; k < 8; k++)
    if (lane + 32 * k < columns) out[lane + 32 * k] = v[k] / sum;
}
