// section: 2.8 Alignment of Data Types
// construct: members of packed structs in each address space, at odd offsets
// grid: 8
// group: 4
// in: x float 1 2 3 4 5 6 7 8
// out: y float 13 12 11 10 17 16 15 14
#include <metal_stdlib>
using namespace metal;

struct Inner {
  float a;
  float4 b;
};

struct __attribute__((packed)) Odd {
  uchar c;
  float v[3];
  Inner in;
  uint bits : 3;
};

constant Odd table[2] = {{1, {2, 3, 4}, {5, 1}, 1}, {1, {2, 3, 4}, {5, 1}, 2}};

kernel void test(device const float *x [[buffer(0)]],
                 device float *y [[buffer(1)]],
                 uint i [[thread_position_in_grid]],
                 uint l [[thread_position_in_threadgroup]]) {
  threadgroup Odd shared[4];
  Odd o[3];
  for (int n = 0; n < 3; n++) {
    o[n].c = n;
    for (int m = 0; m < 3; m++) o[n].v[m] = x[i] + m;
    o[n].in.a = 3;
    o[n].in.b = float4(n);
    o[n].bits = 2;
  }
  shared[l] = o[1];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = shared[3 - l].v[2] + shared[l].in.b.z + table[i & 1].in.b.x +
         table[i & 1].v[1] + o[2].bits;
}
