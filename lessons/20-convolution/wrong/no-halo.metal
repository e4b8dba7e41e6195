#include <metal_stdlib>
using namespace metal;

kernel void convolve(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     constant float     *w [[buffer(2)]],  // 9 weights
                     constant uint      &n [[buffer(3)]],
                     uint i     [[thread_position_in_grid]],
                     uint t     [[thread_position_in_threadgroup]],
                     uint group [[threadgroup_position_in_grid]]) {
  threadgroup float part[256];
  part[t] = i < n ? x[i] : 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i >= n) return;
  float sum = 0;
  for (int j = -4; j <= 4; j++) {
    int at = int(t) + j;
    if (at >= 0 && at < 256) sum += w[j + 4] * part[at];
  }
  y[i] = sum;
}
