// section: 4 Address Spaces
// construct: a division by a zero that is known, where functions differ by address space alone: x / 0 is x, and what follows runs
// grid: 4
// in: a int 12 -7 0 2147483647
// out: b int 1112 1093 1100 -2147482549
#include <metal_stdlib>
using namespace metal;
int where(device const int *p) { return *p; }
int where(thread const int *p) { return *p + 100; }
kernel void test(device const int *a [[buffer(0)]], device int *b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  int mine = 1000, three = 3;
  int x = where(a + i) / (three - 3);
  b[i] = x + where(&mine);
}
