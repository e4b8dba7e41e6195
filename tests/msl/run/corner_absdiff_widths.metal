// section: 6.3 Integer Functions
// construct: absdiff is unsigned and does not overflow, for every width
// grid: 1
// in: x int -2147483648 2147483647
// out: a long 255 65535 4294967295 247 4294967295 65535 4 3999999998
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 8;
  a[0] = absdiff((char)-128, (char)127);
  a[1] = absdiff((short)-32768, (short)32767);
  a[2] = absdiff(x[0], x[1]);
  a[3] = absdiff((uchar)3, (uchar)250);
  a[4] = absdiff((long)x[0], (long)x[1]);
  ushort2 v = absdiff(short2(-32768, 5), short2(32767, 9));
  a[5] = v.x; a[6] = v.y;
  a[7] = absdiff(2u, 4000000000u);
}
