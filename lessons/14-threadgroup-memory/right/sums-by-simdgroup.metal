#include <metal_stdlib>
using namespace metal;

kernel void centre(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant uint      &n [[buffer(2)]],
                   uint i [[thread_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]],
                   uint g [[threadgroup_position_in_grid]]) {
  uint count = min(64u, n - g * 64);  // elements of this team
  threadgroup float part[2];
  float v = i < n ? x[i] : 0.0f;
  float sum = simd_sum(v);
  if (t % 32 == 0) part[t / 32] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) y[i] = v - (part[0] + part[1]) / count;
}
