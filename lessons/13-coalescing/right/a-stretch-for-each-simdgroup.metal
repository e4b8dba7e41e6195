#include <metal_stdlib>
using namespace metal;

kernel void squares(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint      &n [[buffer(2)]],
                    uint i       [[thread_position_in_grid]],
                    uint threads [[threads_per_grid]]) {
  // the first thread of this SIMD-group
  uint first = i / 32 * 32;
  uint lanes = min(32u, threads - first);  // the last one may be cut
  for (uint j = first * 8 + i % 32; j < min(n, (first + lanes) * 8); j += lanes)
    y[j] = x[j] * x[j];
}
