// section: 2.21 Type Conversions and Reinterpreting Data
// construct: vectors of uchar and short do not promote: they wrap
// grid: 1
// in: x uchar4 200 255 1 0 100 1 2 128
// out: a int 44 0 3 128 30044 -30000 55 0 128 240
#include <metal_stdlib>
using namespace metal;
kernel void test(device const uchar4 *x [[buffer(0)]], device int *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 8;
  a += i * 10;
  uchar4 s = x[0] + x[1];
  short2 t = short2(30000, -30000) + short2(s.xy);
  a[0] = s.x; a[1] = s.y; a[2] = s.z; a[3] = s.w; a[4] = t.x; a[5] = t.y;
  uchar4 n = ~x[0];
  a[6] = n.x; a[7] = n.y;
  uchar4 q = x[0] << uchar4(4);
  a[8] = q.x; a[9] = q.y;
}
