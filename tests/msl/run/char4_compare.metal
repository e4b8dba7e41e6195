// section: 2.2 Vector Data Types
// repeats: no
// construct: char4 and uchar4 compare by their signs
// grid: 1
// in: a char4 -1 1 -128 127
// out: o int4 1 0 1 0
// out: p int4 0 1 0 1
#include <metal_stdlib>
using namespace metal;
kernel void k(device const char4 *a [[buffer(0)]], device int4 *o [[buffer(1)]], device int4 *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  o[0] = int4(a[0] < char(0));
  p[0] = int4(as_type<uchar4>(a[0]) < uchar(128));
}
