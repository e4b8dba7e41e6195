// section: 4 Address Spaces
// construct: references and pointers to threadgroup memory as parameters
// groups: 1
// group: 4
// out: o int 6 6 6 6
#include <metal_stdlib>
using namespace metal;
static void put(threadgroup int &to, int v) { to = v; }
static int sum(threadgroup const int *p, int n) {
  int s = 0;
  for (int k = 0; k < n; k++) s += p[k];
  return s;
}
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup int t[4];
  put(t[i], int(i));
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[i] = sum(t, 4);
}
