#include <metal_stdlib>
using namespace metal;

kernel void convolve(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     constant float     *w [[buffer(2)]],  // 9 weights
                     constant uint      &n [[buffer(3)]],
                     uint i     [[thread_position_in_grid]],
                     uint t     [[thread_position_in_threadgroup]],
                     uint group [[threadgroup_position_in_grid]]) {
  threadgroup float part[264];
  uint first = group * 256;
  part[t] = first + t >= 4 && first + t - 4 < n ? x[first + t - 4] : 0.0f;
  if (t < 8) {
    uint at = first + 252 + t;
    part[256 + t] = at < n ? x[at] : 0.0f;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) {
    float sum = 0;
    for (uint j = 0; j < 9; j++) sum += part[t + j] * w[j];
    y[i] = sum;
  }
}
