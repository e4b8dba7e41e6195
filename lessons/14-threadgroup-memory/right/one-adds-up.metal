#include <metal_stdlib>
using namespace metal;

kernel void centre(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant uint      &n [[buffer(2)]],
                   uint i [[thread_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]],
                   uint g [[threadgroup_position_in_grid]]) {
  uint count = min(64u, n - g * 64);  // elements of this team
  // everybody fetches; thread 0 adds for the team
  threadgroup float table[64], mean;
  table[t] = i < n ? x[i] : 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) {
    float sum = 0;
    for (uint k = 0; k < 64; k++) sum += table[k];
    mean = sum / count;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) y[i] = table[t] - mean;
}
