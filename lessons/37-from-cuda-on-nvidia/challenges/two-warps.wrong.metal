#include <metal_stdlib>
using namespace metal;

kernel void keep(device const float *x [[buffer(0)]],
                 device float *y       [[buffer(1)]],
                 device uint *kept     [[buffer(2)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]],
                 uint g [[threadgroup_position_in_grid]]) {
  float v = x[i]; // each SIMD-group packs to the front of all 64
  uint place = simd_prefix_exclusive_sum(uint(v > 0));
  uint total = simd_sum(uint(v > 0));
  if (v > 0) y[i - t + place] = v;
  if (t >= total) y[i] = 0;
  if (t == 0) kept[g] = total;
}
