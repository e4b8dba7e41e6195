#include <metal_stdlib>
using namespace metal;

kernel void block_sums(device const float *x [[buffer(0)]],
                       device float *sums    [[buffer(1)]],
                       constant uint &n      [[buffer(2)]],
                       uint block [[threadgroup_position_in_grid]],
                       uint t [[thread_position_in_threadgroup]],
                       uint i [[thread_position_in_grid]]) {
  threadgroup float part[256];
  part[t] = i < n ? x[i] : 0;
  for (uint half_of = 128; half_of > 0; half_of /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < half_of) part[t] += part[t + half_of];
  }
  if (t == 0) sums[block] = part[0];
}
