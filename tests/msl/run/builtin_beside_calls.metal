// section: 5.9 Program Scope Global Built-ins and Bindings
// construct: functions without one keep their calls, of which there are many
// grid: 4
// repeats: no
// out: o uint 1 2 3 4
#include <metal_stdlib>
using namespace metal;
uint gid [[thread_position_in_grid]];
static uint mine() { return gid; }
uint f0(uint n) { return n; }
// 4^40 calls, if each were inlined; the kernel needs one of them
#define F(k, before)                                        \
  uint f##k(uint n) {                                       \
    return n == 0   ? 0                                     \
           : n == 1 ? f##before(1) + f##before(0)           \
                    : f##before(n - 1) + f##before(n / 2);  \
  }
F(1, 0) F(2, 1) F(3, 2) F(4, 3) F(5, 4)
F(6, 5) F(7, 6) F(8, 7) F(9, 8) F(10, 9)
F(11, 10) F(12, 11) F(13, 12) F(14, 13) F(15, 14)
F(16, 15) F(17, 16) F(18, 17) F(19, 18) F(20, 19)
F(21, 20) F(22, 21) F(23, 22) F(24, 23) F(25, 24)
F(26, 25) F(27, 26) F(28, 27) F(29, 28) F(30, 29)
F(31, 30) F(32, 31) F(33, 32) F(34, 33) F(35, 34)
F(36, 35) F(37, 36) F(38, 37) F(39, 38) F(40, 39)
kernel void test(device uint *o [[buffer(0)]]) {
  o[mine()] = mine() + f1(1);
}
