// section: 4.4 Threadgroup Address Space
// construct: an array in threadgroup memory with first values
// grid: 8
// group: 8, 4
// out: a float 8*6
#include <metal_stdlib>
using namespace metal;
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]],
                 uint l [[thread_position_in_threadgroup]]) {
  threadgroup float t[3] = {1, 2, 3};
  threadgroup float zero[64] = {0};
  threadgroup float2 v = {0, 0};
  threadgroup_barrier(mem_flags::mem_threadgroup);
  a[i] = t[0] + t[1] + t[2] + zero[l] + v.x;
}
