#include <metal_stdlib>
using namespace metal;

kernel void reverse_groups(device const float *x [[buffer(0)]],
                           device float       *y [[buffer(1)]],
                           uint i [[thread_position_in_grid]],
                           uint t [[thread_position_in_threadgroup]]) {
  threadgroup float tile[4096];
  tile[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = tile[63 - t];
}
