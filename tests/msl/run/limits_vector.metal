// section: 2.1 Scalar Data Types
// construct: numeric_limits of a vector type
// grid: 1
// out: a int 2147483647 2147483647 -2147483648 -2147483648
#include <metal_stdlib>
using namespace metal;
kernel void test(device int2 *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  a[2 * i] = numeric_limits<int2>::max();
  a[2 * i + 1] = numeric_limits<int2>::lowest();
}
