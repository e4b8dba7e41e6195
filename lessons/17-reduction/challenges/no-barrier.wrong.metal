// wrong: the thread's number for the group's
#include <metal_stdlib>
using namespace metal;

kernel void group_sums(device const float *x    [[buffer(0)]],
                       device float       *sums [[buffer(1)]],
                       constant uint      &n    [[buffer(2)]],
                       uint t [[thread_position_in_threadgroup]],
                       uint g [[threadgroup_position_in_grid]]) {
  float sum = 0;
  for (uint i = g * 256 + t; i < min(n, g * 256 + 256); i += 32) sum += x[i];
  sum = simd_sum(sum);
  sums[t] = sum;
}
