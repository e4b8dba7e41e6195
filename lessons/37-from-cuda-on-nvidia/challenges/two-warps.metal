#include <metal_stdlib>
using namespace metal;

kernel void keep(device const float *x [[buffer(0)]],
                 device float *y       [[buffer(1)]],
                 device uint *kept     [[buffer(2)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]],
                 uint g [[threadgroup_position_in_grid]]) {
  threadgroup uint counts[2];
  float v = x[i];
  uint place = simd_prefix_exclusive_sum(uint(v > 0));
  uint count = simd_sum(uint(v > 0));
  if (t % 32 == 0) counts[t / 32] = count;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint total = counts[0] + counts[1];
  if (t >= 32) place += counts[0];
  if (v > 0) y[i - t + place] = v;
  if (t >= total) y[i] = 0;
  if (t == 0) kept[g] = total;
}
