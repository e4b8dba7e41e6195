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
  part[t + 4] = i < n ? x[i] : 0;
  // i - 4 is before n if the group has any
  if (t < 4) part[t] = i >= 4 ? x[i - 4] : 0;
  if (t >= 252) part[t + 8] = i + 4 < n ? x[i + 4] : 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (int j = -4; j <= 4; j++) sum = fma(w[j + 4], part[int(t) + 4 + j], sum);
  if (i < n) y[i] = sum;
}
