#include <metal_stdlib>
using namespace metal;

kernel void segmented_scan(device const float *x     [[buffer(0)]],
                           device const uint  *start [[buffer(1)]],
                           device float       *y     [[buffer(2)]],
                           constant uint      &n     [[buffer(3)]],
                           uint t [[thread_position_in_threadgroup]]) {
  threadgroup float sums[2][256];
  threadgroup uint starts[2][256];
  uint now = 0;
  sums[0][t] = t < n ? x[t] : 0;
  starts[0][t] = t < n ? start[t] : 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint back = 1; back < 256; back *= 2, now = 1 - now) {
    bool reaches = t >= back && starts[now][t] == 0;
    sums[1 - now][t] = sums[now][t] + (reaches ? sums[now][t - back] : 0);
    starts[1 - now][t] = starts[now][t] | (reaches ? starts[now][t - back] : 0);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t < n) y[t] = sums[now][t];
}
