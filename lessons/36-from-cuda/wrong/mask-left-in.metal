#include <metal_stdlib>
using namespace metal;

kernel void block_sums(device const float *x [[buffer(0)]],
                       device float *sums    [[buffer(1)]],
                       constant uint &n      [[buffer(2)]],
                       uint block [[threadgroup_position_in_grid]],
                       uint t [[thread_position_in_threadgroup]],
                       uint i [[thread_position_in_grid]]) {
  threadgroup float part[8];
  float v = i < n ? x[i] : 0;
  for (uint d = 16; d > 0; d /= 2) v += simd_shuffle_down(0xffffffff, v, d);
  if (t % 32 == 0) part[t / 32] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) {
    float total = 0;
    for (uint w = 0; w < 8; w++) total += part[w];
    sums[block] = total;
  }
}
