#include <metal_stdlib>
using namespace metal;

kernel void warp_max(device const float *x [[buffer(0)]],
                     device float *best    [[buffer(1)]],
                     device uint *place    [[buffer(2)]],
                     uint g    [[threadgroup_position_in_grid]],
                     uint lane [[thread_index_in_simdgroup]]) {
  float v = x[32 * g + lane];
  float most = simd_max(v);
  uint first = simd_min(v == most ? lane : 32u);
  if (lane == 0) {
    best[g] = most;
    place[g] = first;
  }
}
