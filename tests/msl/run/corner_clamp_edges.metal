// section: 6.2 Common Functions
// construct: clamp(x, lo, hi) at and beyond both ends, for int, short, uchar vectors
// grid: 1
// in: x int -100 100
// out: a long -5 5 -3 20 20 100 100 -1 0 1 549755813888
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 11;
  a[0] = clamp(x[0], -5, 5); a[1] = clamp(x[1], -5, 5); a[2] = clamp((short)x[0], (short)-3, (short)3);
  uchar4 v = clamp(uchar4(0, 10, 200, 255), uchar4(20), uchar4(100));
  a[3] = v.x; a[4] = v.y; a[5] = v.z; a[6] = v.w;
  int3 w = clamp(int3(-9, 0, 9), -1, 1);
  a[7] = w.x; a[8] = w.y; a[9] = w.z;
  a[10] = clamp((ulong)1 << 40, (ulong)5, (ulong)1 << 39);
}
