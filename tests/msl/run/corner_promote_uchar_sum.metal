// section: 2.21 Type Conversions and Reinterpreting Data
// construct: uchar + uchar is an int; assigned back it wraps
// grid: 1
// in: x uchar 200 200
// out: a int 400 144 0 -201 3200 -200 0 0
#include <metal_stdlib>
using namespace metal;
kernel void test(device const uchar *x [[buffer(0)]], device int *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 8;
  a[0] = x[0] + x[1];
  uchar c = x[0] + x[1];
  a[1] = c;
  a[2] = x[0] - x[1];
  a[3] = ~x[0];
  a[4] = x[0] << 4;
  a[5] = -x[1];
  a[6] = (x[1] - x[0]) >> 1;
  a[7] = (ushort)(x[1] - x[0]) >> 1;
}
