// section: 1.5 Metal and C++17
// construct: a struct that derives from another, with a hidden method
// grid: 1
// out: o int 3 20 23
#include <metal_stdlib>
using namespace metal;
struct A { int x; int base() { return x; } int get() { return x; } };
struct D : A { int y; int get() { return y; } };
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  D d;
  d.x = 3;
  d.y = 20;
  o[0] = d.base();
  o[1] = d.get();
  o[2] = d.A::get() + d.y;
}
