// section: 6.3 Integer Functions
// construct: abs of the smallest value wraps, sign and abs of vectors
// grid: 1
// in: x int -2000000000
// out: a long 5 5 8000000000 300 2000000000
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 5;
  char2 c = abs(char2(-5, 5)); a[0] = c.x; a[1] = c.y; a[2] = abs((long)x[0] * 4); a[3] = abs((short)-300);
  a[4] = abs(x[0]);
}
