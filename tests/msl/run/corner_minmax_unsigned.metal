// section: 6.3 Integer Functions
// construct: min and max of uint above INT_MAX are unsigned, of mixed int literal too
// grid: 1
// in: x uint 4000000000 4000000001
// out: a long 4000000000 5 4000000001 4000000000 2
#include <metal_stdlib>
using namespace metal;
kernel void test(device const uint *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 5;
  a[0] = max(x[0], 5u); a[1] = min(x[0], 5u); a[2] = max(x[0], x[1]);
  uint2 v = max(uint2(x[0], 1), uint2(2));
  a[3] = v.x; a[4] = v.y;
}
