#include <metal_stdlib>
using namespace metal;

kernel void block_sums(device const float *x [[buffer(0)]],
                       device float *sums    [[buffer(1)]],
                       constant uint &n      [[buffer(2)]],
                       uint block [[threadgroup_position_in_grid]],
                       uint t [[thread_position_in_threadgroup]]) {
  float v = 0;
  for (uint i = block * 256 + t; i < min(n, block * 256 + 256); i += 32)
    v += x[i];
  v = simd_sum(v);
  if (t == 0) sums[block] = v;
}
