// section: 4 Address Spaces
// construct: an overload for device memory that copies and calls the one for the thread's; T x[n] is T *x
// grid: 2
// repeats: no
// in: x uchar 1 2 3 4 5 6 7 8
// out: a int 110 226
#include <metal_stdlib>
using namespace metal;
inline int total(thread const uchar bytes[4]) {
  int s = 100;
  for (int k = 0; k < 4; k++) s += bytes[k];
  return s;
}
inline int total(device const uchar *bytes) {
  uchar own[4];
  for (int k = 0; k < 4; k++) own[k] = bytes[k];
  return total(own);
}
kernel void test(device const uchar *x [[buffer(0)]], device int *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uchar mine[4] = {0, 0, 0, 0};
  a[i] = total(x + i * 4) + (i == 1 ? total(mine) : 0);
}
