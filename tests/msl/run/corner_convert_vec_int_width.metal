// section: 2.21 Type Conversions and Reinterpreting Data
// construct: char4(int4) keeps the low bits, int4(char4) the sign, uint4(char4) too
// grid: 1
// in: x int4 200 127 -1 256
// out: a long -56 127 -1 0 4294967240 127 4294967295 0 200 127 255 0
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int4 *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 4;
  a += i * 12;
  char4 c = char4(x[0]);
  int4 w = int4(c);
  uint4 u = uint4(c);
  ushort4 s = ushort4(uchar4(x[0]));
  for (int k = 0; k < 4; k++) { a[k] = w[k]; a[4 + k] = u[k]; a[8 + k] = s[k]; }
}
