// section: 2.1 Scalar Data Types
// construct: bools count as 0 and 1, any other number becomes true
// grid: 3
// in: a int 0 1 256
// out: o int 0 2 2
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *a [[buffer(0)]], device int *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  bool b = a[i];
  bool c = bool(a[i]);
  o[i] = b + c;
}
