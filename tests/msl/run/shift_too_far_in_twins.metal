// section: 4 Address Spaces
// construct: a shift by as many bits as there are, where functions differ by address space alone: its result is not used, the rest is right
// grid: 4
// in: a int 1 2 3 4
// out: b int 1101 1102 1103 1104
#include <metal_stdlib>
using namespace metal;
int where(device const int *p) { return *p; }
int where(thread const int *p) { return *p + 100; }
kernel void test(device const int *a [[buffer(0)]], device int *b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  int mine = 1000, thirty = 30;
  int x = a[i] << (thirty + 2);
  b[i] = where(a + i) + where(&mine) + (x & 0);
}
