// section: 2.2 Vector Data Types
// repeats: no
// construct: vectors are shifted by vectors and by numbers
// grid: 1
// in: a int4 -16 16 1 -1
// out: o int4 -4 1 0 -1
// out: p uint4 4294967264 32 2 4294967294
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int4 *a [[buffer(0)]], device int4 *o [[buffer(1)]], device uint4 *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  o[0] = a[0] >> int4(2, 4, 1, 31);
  p[0] = uint4(a[0]) << 1;
}
