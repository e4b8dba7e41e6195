// section: 4.2 Constant Address Space
// construct: a constant array passed as pointer and as reference to an array
// grid: 1
// out: o int 6 3
#include <metal_stdlib>
using namespace metal;
constant int table[3] = {1, 2, 3};
static int sum(constant const int *p, int n) {
  int s = 0;
  for (int k = 0; k < n; k++) s += p[k];
  return s;
}
template <int N> static int count(constant const int (&)[N]) { return N; }
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  o[0] = sum(table, 3);
  o[1] = count(table);
}
