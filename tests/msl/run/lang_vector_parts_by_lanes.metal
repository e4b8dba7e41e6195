// section: 2.2 Vector Data Types
// construct: lanes write different components of one vector: by number, by swizzle, in threadgroup memory
// grid: 16
// group: 16
// in: x float 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// out: a float 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// out: b float 0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9 10 10 11 11 12 12 13 13 14 14 15 15
// out: c float 3 2 1 0 7 6 5 4 11 10 9 8 15 14 13 12
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float4 *a [[buffer(1)]], device float4 *b [[buffer(2)]],
                 device float *c [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  threadgroup float4 t[4];
  a[i / 4][i % 4] = x[i];
  if (i & 1) b[i / 2].zw = x[i]; else b[i / 2].xy = x[i];
  t[i / 4][3 - i % 4] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  c[i] = t[i / 4][i % 4];
}
