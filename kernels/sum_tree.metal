#include <metal_stdlib>
using namespace metal;

// The sum of all elements by a tree: first every thread sums what lies a whole
// grid apart, then a threadgroup adds its threads' sums pairwise, half as many
// at each step. Each group leaves one number; the same kernel, launched with a
// single group, then sums those.
kernel void sum_tree(device const float *x    [[buffer(0)]],
                     device float       *sums [[buffer(1)]],
                     constant uint      &n    [[buffer(2)]],
                     uint i       [[thread_position_in_grid]],
                     uint threads [[threads_per_grid]],
                     uint t       [[thread_position_in_threadgroup]],
                     uint size    [[threads_per_threadgroup]],
                     uint group   [[threadgroup_position_in_grid]]) {
  threadgroup float part[1024];
  float sum = 0;
  for (uint j = i; j < n; j += threads) sum += x[j];
  part[t] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  // what is left are the first 'left' parts; any size of group will do
  for (uint left = size; left > 1;) {
    uint half_way = (left + 1) / 2;
    if (t < left / 2) part[t] += part[t + half_way];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    left = half_way;
  }
  if (t == 0) sums[group] = part[0];
}
