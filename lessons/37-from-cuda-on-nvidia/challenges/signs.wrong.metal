#include <metal_stdlib>
using namespace metal;

kernel void signs(device const float *x [[buffer(0)]],
                  device uint *mask     [[buffer(1)]],
                  uint g    [[threadgroup_position_in_grid]],
                  uint lane [[thread_index_in_simdgroup]]) {
  uint count = simd_sum(uint(x[32 * g + lane] > 0)); // how many, not which
  if (lane == 0) mask[g] = (1u << count) - 1;
}
