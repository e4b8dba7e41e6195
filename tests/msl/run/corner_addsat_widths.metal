// section: 6.3 Integer Functions
// construct: addsat and subsat for char, uchar, ushort, short, long, ulong and vectors
// grid: 1
// in: x long 9223372036854775807
// out: a long 127 -128 255 0 65535 -32768 9223372036854775807 -9223372036854775808 -128 127 -128 2 0 1 0
#include <metal_stdlib>
using namespace metal;
kernel void test(device const long *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 15;
  a[0] = addsat((char)100, (char)100); a[1] = addsat((char)-100, (char)-100);
  a[2] = addsat((uchar)200, (uchar)100); a[3] = subsat((uchar)10, (uchar)20);
  a[4] = addsat((ushort)65000, (ushort)1000); a[5] = subsat((short)-32000, (short)1000);
  a[6] = addsat(x[0], 1L); a[7] = subsat(-x[0] - 1, 1L);
  a[8] = subsat((char)-100, (char)100);
  char4 v = addsat(char4(127, -128, 1, -1), char4(1, -1, 1, 1));
  a[9] = v.x; a[10] = v.y; a[11] = v.z; a[12] = v.w;
  a[13] = addsat((ulong)x[0] * 2 + 1, (ulong)5) == ~0ul;
  a[14] = subsat(3u, 5u);
}
