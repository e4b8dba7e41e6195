// section: 2.2 Vector Data Types
// construct: swizzles of bool vectors, read and written
// grid: 4
// in: a bool 1 0 0 1  0 1 1 0  1 1 0 0  0 0 0 1
// out: o int 10011011 1100100 110101 10001010
#include <metal_stdlib>
using namespace metal;
static int digits(bool4 v) { return v.x * 1000 + v.y * 100 + v.z * 10 + v.w; }
kernel void k(device const bool *a [[buffer(0)]], device int *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  bool4 v = ((device const bool4 *)a)[i];
  bool4 w = v.wzyx;  // turned around
  bool4 u(false);
  u.rg = v.xx;
  u.a = !v.g;
  u.zy = bool2(v.w, v.y).xy;
  u.wx = u.xw;
  o[i] = digits(w) * 10000 + digits(u);
}
