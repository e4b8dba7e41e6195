#include <metal_stdlib>
using namespace metal;

// sums[g] = the sum of the 256 elements of x that belong to threadgroup g; the
// last group may have fewer. Right, but one thread does all the work.
kernel void group_sums(device const float *x    [[buffer(0)]],
                       device float       *sums [[buffer(1)]],
                       constant uint      &n    [[buffer(2)]],
                       uint i    [[thread_position_in_grid]],
                       uint t    [[thread_position_in_threadgroup]],
                       uint g    [[threadgroup_position_in_grid]],
                       uint lane [[thread_index_in_simdgroup]],
                       uint simd [[simdgroup_index_in_threadgroup]]) {
  if (t != 0) return;
  float sum = 0;
  for (uint j = 0; j < 256; j++)
    if (i + j < n) sum += x[i + j];
  sums[g] = sum;
}
