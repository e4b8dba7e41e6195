// section: 6.3 Integer Functions
// construct: mul24 and mad24 of 24-bit values, signed and not
// grid: 1
// in: x int -8388608 200
// out: a long -1677721600 -1677721593 4278189825 16773125 -1677721599 13
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 6;
  a[0] = mul24(x[0], x[1]); a[1] = mad24(x[0], x[1], 7); a[2] = mul24(16777215u, 255u);
  a[3] = mad24(4095u, 4096u, 5u);
  int2 v = mad24(int2(x[0], 3), int2(x[1], 4), int2(1));
  a[4] = v.x; a[5] = v.y;
}
