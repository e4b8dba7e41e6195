// section: 2.12 Aggregate Types
// construct: array<T, N>: size, index, assignment, range for
// grid: 1
// out: o int 3 60 30
#include <metal_stdlib>
using namespace metal;
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  array<int, 3> a = {10, 20, 30};
  array<int, 3> b = a;
  int s = 0;
  for (int v : b) s += v;
  o[0] = a.size();
  o[1] = s;
  o[2] = b[2];
}
