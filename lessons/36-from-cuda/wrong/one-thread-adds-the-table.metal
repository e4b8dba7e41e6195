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
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) {
    float total = 0;
    for (uint k = 0; k < 256; k++) total += part[k];
    sums[block] = total;
  }
}
