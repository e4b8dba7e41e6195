// section: 2.21 Type Conversions and Reinterpreting Data
// construct: float to char, short, uchar truncates toward zero
// grid: 1
// in: x float -100.9 255.9 -30000.7 65535.5 -2.999 4000000000 -5000000000 0
// out: a long -100 255 -30000 65535 -2 4000000000 -5000000000 0 1
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 8;
  a += i * 9;
  a[0] = char(x[0]); a[1] = uchar(x[1]); a[2] = short(x[2]); a[3] = ushort(x[3]);
  a[4] = int(x[4]); a[5] = uint(x[5]); a[6] = long(x[6]); a[7] = bool(x[7]); a[8] = bool(x[0]);
}
