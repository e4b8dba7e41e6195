// section: 6.3 Integer Functions
// construct: mulhi for char, uchar, short, ushort, long, ulong; madhi adds
// grid: 1
// in: x int -2000000000 1500000000
// out: a long -64 156 -13733 54931 -698491931 801508069 -732421875000000 523868955 -698491931 523868948
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 10;
  a[0] = mulhi((char)-128, (char)127); a[1] = mulhi((uchar)200, (uchar)200);
  a[2] = mulhi((short)-30000, (short)30000); a[3] = mulhi((ushort)60000, (ushort)60000);
  a[4] = mulhi(x[0], x[1]); a[5] = mulhi((uint)x[0], (uint)x[1]);
  a[6] = mulhi((long)x[0] << 32, (long)x[1] << 20);
  a[7] = madhi(x[1], x[1], 7);
  int2 v = mulhi(int2(x[0], x[1]), int2(x[1], x[1]));
  a[8] = v.x; a[9] = v.y;
}
