#include <metal_stdlib>
using namespace metal;

kernel void signs(device const float *x [[buffer(0)]],
                  device uint *mask     [[buffer(1)]],
                  uint g    [[threadgroup_position_in_grid]],
                  uint lane [[thread_index_in_simdgroup]]) {
  uint bits = uint((simd_vote::vote_t)simd_ballot(x[32 * g + lane] > 0));
  if (lane == 0) mask[g] = bits;
}
