// section: 6.3 Integer Functions
// construct: hadd and rhadd do not overflow: negative, char, ulong, vectors
// grid: 1
// in: x int -2147483648 -2147483647
// out: a long -2147483648 -2147483647 -4 -3 254 255 2147483647 1 32767 -32767 -2147483648
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 11;
  a[0] = hadd(x[0], x[1]); a[1] = rhadd(x[0], x[1]);
  a[2] = hadd((char)-3, (char)-4); a[3] = rhadd((char)-3, (char)-4);
  a[4] = hadd((uchar)255, (uchar)254); a[5] = rhadd((uchar)255, (uchar)254);
  a[6] = rhadd(2147483647, 2147483647);
  a[7] = hadd(~0ul, ~0ul - 1) == ~0ul - 1;
  short2 v = rhadd(short2(32767, -32768), short2(32766, -32767));
  a[8] = v.x; a[9] = v.y;
  a[10] = hadd((long)x[0], (long)x[1]);
}
