#include <metal_stdlib>
using namespace metal;

kernel void block_sums(device const float *x [[buffer(0)]],
                       device float *sums    [[buffer(1)]],
                       constant uint &n      [[buffer(2)]],
                       uint block [[threadgroup_position_in_grid]],
                       uint t [[thread_position_in_threadgroup]],
                       uint i [[thread_position_in_grid]]) {
  if (t > 0) return;
  float total = 0;
  for (uint k = block * 256; k < min(n, block * 256 + 256); k++) total += x[k];
  sums[block] = total;
}
