#include <metal_stdlib>
using namespace metal;

kernel void group_scan(device const float *x [[buffer(0)]],
                       device float       *y [[buffer(1)]],
                       constant uint      &n [[buffer(2)]],
                       uint t [[thread_position_in_threadgroup]],
                       uint g [[threadgroup_position_in_grid]]) {
  threadgroup float part[2][128];
  uint i = g * 256 + 2 * t, now = 0;
  float a = i < n ? x[i] : 0, b = i + 1 < n ? x[i + 1] : 0;
  part[0][t] = a + b;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint back = 1; back < 128; back *= 2, now = 1 - now) {
    part[1 - now][t] = part[now][t] + (t >= back ? part[now][t - back] : 0);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  float before = part[now][t] - a - b;
  if (i < n) y[i] = before + a;
  if (i + 1 < n) y[i + 1] = before + a + b;
}
