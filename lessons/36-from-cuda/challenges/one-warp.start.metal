#include <metal_stdlib>
using namespace metal;

kernel void block_sums(device const float *x [[buffer(0)]],
                       device float *sums    [[buffer(1)]],
                       constant uint &n      [[buffer(2)]],
                       uint block [[threadgroup_position_in_grid]],
                       uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[32];
  float v = 0;
  for (uint i = block * 256 + t; i < min(n, block * 256 + 256); i += 32)
    v += x[i];
  part[t] = v;
  for (uint apart = 16; apart > 0; apart /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < apart) part[t] += part[t + apart];
  }
  if (t == 0) sums[block] = part[0];
}
