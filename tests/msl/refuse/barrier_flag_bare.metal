#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup_barrier(mem_threadgroup);
}
// expect: 4: mem_flags::mem_threadgroup
