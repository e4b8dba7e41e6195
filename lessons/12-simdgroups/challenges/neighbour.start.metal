#include <metal_stdlib>
using namespace metal;

kernel void turn(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = part[t / 32 * 32 + (t + 1) % 32];
}
