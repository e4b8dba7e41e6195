// section: 6.3 Integer Functions
// construct: rotate left, for short, long, vectors, by more than the width
// grid: 1
// in: x int 1
// out: a long 3 1 3 3 128 2 3 1
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 8;
  a[0] = rotate((ushort)0x8001, (ushort)1); a[1] = rotate((ulong)x[0], 40ul) == (1ul << 40);
  a[2] = rotate((uint)0x80000001, 33u);
  uchar4 v = rotate(uchar4(0x81, 1, 2, 3), uchar4(1, 7, 8, 0)); a[3] = v.x; a[4] = v.y; a[5] = v.z;
  a[6] = v.w;
  a[7] = rotate(-2147483647 - 1, 1);
}
