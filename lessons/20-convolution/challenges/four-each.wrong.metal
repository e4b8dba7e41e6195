// wrong: each thread begins four places further on
#include <metal_stdlib>
using namespace metal;

kernel void convolve(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     constant float     *w [[buffer(2)]],
                     constant uint      &n [[buffer(3)]],
                     uint t     [[thread_position_in_threadgroup]],
                     uint group [[threadgroup_position_in_grid]]) {
  threadgroup float part[264];
  int first = int(group) * 256 - 4;
  for (uint k = t; k < 264; k += 64) {
    int at = first + int(k);
    part[k] = at >= 0 && at < int(n) ? x[at] : 0;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float v[12];
  for (uint j = 0; j < 12; j++) v[j] = part[t + j];
  for (uint r = 0; r < 4; r++) {
    float sum = 0;
    for (uint j = 0; j < 9; j++) sum += w[j] * v[r + j];
    uint i = group * 256 + 4 * t + r;
    if (i < n) y[i] = sum;
  }
}
