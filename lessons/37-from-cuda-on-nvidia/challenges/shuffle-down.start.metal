#include <metal_stdlib>
using namespace metal;

kernel void warp_max(device const float *x [[buffer(0)]],
                     device float *best    [[buffer(1)]],
                     device uint *place    [[buffer(2)]],
                     uint g    [[threadgroup_position_in_grid]],
                     uint lane [[thread_index_in_simdgroup]]) {
  float v = x[32 * g + lane];
  uint at = lane;
  for (ushort step = 16; step > 0; step /= 2) {
    float other = simd_shuffle_down(v, step);
    uint where = simd_shuffle_down(at, step);
    if (lane + step < 32 && (other > v || (other == v && where < at))) {
      v = other;
      at = where;
    }
  }
  if (lane == 0) {
    best[g] = v;
    place[g] = at;
  }
}
