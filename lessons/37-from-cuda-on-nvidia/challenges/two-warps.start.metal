#include <metal_stdlib>
using namespace metal;

kernel void keep(device const float *x [[buffer(0)]],
                 device float *y       [[buffer(1)]],
                 device uint *kept     [[buffer(2)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]],
                 uint g [[threadgroup_position_in_grid]]) {
  threadgroup float all[64];
  float v = x[i];
  all[t] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint place = 0, total = 0;
  for (uint k = 0; k < 64; k++) {
    if (k < t && all[k] > 0) place++;
    if (all[k] > 0) total++;
  }
  if (v > 0) y[i - t + place] = v;
  if (t >= total) y[i] = 0;
  if (t == 0) kept[g] = total;
}
