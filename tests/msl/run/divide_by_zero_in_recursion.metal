// section: 3.1 Scalar and Vector Operators
// construct: a remainder by a zero that is known, beside a call of itself that is a loop: x % 0 is 0, and what follows runs
// grid: 3
// in: a uint 3 0 7
// out: b uint 6 0 28
#include <metal_stdlib>
using namespace metal;
static uint sum(uint n, uint all) { if (n == 0) return all; return sum(n - 1, all + n); }
kernel void test(device const uint *a [[buffer(0)]], device uint *b [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint three = 3;
  b[i] = a[i] % (three & 4u) + sum(a[i], 0);
}
