#include <metal_stdlib>
using namespace metal;
uint gid [[thread_position_in_grid]];
uint f0(uint a) { return a + gid; }
#define F(n, m)                                                  \
  uint f##n(uint a) {                                            \
    return (a & 1) ? f##m(a + 1) * f##m(a + 2) : f##m(a) + f##m(a * 3); \
  }
F(1, 0) F(2, 1) F(3, 2) F(4, 3) F(5, 4) F(6, 5) F(7, 6) F(8, 7) F(9, 8)
F(10, 9) F(11, 10) F(12, 11) F(13, 12) F(14, 14) F(15, 14)
kernel void k(device uint *o [[buffer(0)]]) { o[gid] = f15(gid); }
// expect: 10: recursive call of 'f14' is not supported
