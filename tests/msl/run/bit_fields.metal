// section: 1.5 Metal and C++17
// construct: bit fields of a struct
// grid: 1
// out: o int 5 -3 4 1
#include <metal_stdlib>
using namespace metal;
struct B { uint a : 3; int b : 4; uint c : 1; };
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  B b;
  b.a = 5 + int(i) * 8;
  b.b = -3;
  b.c = 1;
  o[0] = b.a;
  o[1] = b.b;
  o[2] = sizeof(B);
  o[3] = b.c;
}
