// section: 4 Address Spaces
// construct: a pointer to an array as parameter, threadgroup T (*t)[N]
// grid: 32
// group: 32
// in: a half 0..31
// out: a half = (i * 5 % 32) * 2 + 1
#include <metal_stdlib>
using namespace metal;
constant constexpr uint columns = 4;

inline void fill(device const half *from, threadgroup half (*t)[columns], uint i) {
  t[i / columns][i % columns] = from[i] * 2 + 1;
}

kernel void test(device half *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup half t[8][columns];
  fill(a, t, i);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const uint j = i * 5 % 32;
  a[i] = t[j / columns][j % columns];
}
