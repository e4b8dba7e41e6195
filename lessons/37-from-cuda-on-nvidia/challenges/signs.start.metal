#include <metal_stdlib>
using namespace metal;

kernel void signs(device const float *x [[buffer(0)]],
                  device uint *mask     [[buffer(1)]],
                  uint g    [[threadgroup_position_in_grid]],
                  uint lane [[thread_index_in_simdgroup]]) {
  if (lane != 0) return;
  uint bits = 0;
  for (uint k = 0; k < 32; k++)
    if (x[32 * g + k] > 0) bits |= 1u << k;
  mask[g] = bits;
}
