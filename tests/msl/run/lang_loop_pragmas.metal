// section: 1.5 Metal and C++17
// construct: pragmas and attributes for unrolling change nothing
// grid: 1
// out: o int 45 45 10
#include <metal_stdlib>
using namespace metal;
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int a = 0, b = 0, c = 0;
#pragma unroll
  for (int n = 0; n < 10; n++) a += n;
#pragma clang loop unroll(full)
  for (int n = 0; n < 10; n++) b += n;
  #pragma unroll(2)
  for (int n = 0; n < 5; n++) c += n;
  o[0] = a;
  o[1] = b;
  o[2] = c;
}
