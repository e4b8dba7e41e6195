// section: 2.2 Vector Data Types
// construct: one bit of one component of a vector in memory decides, for some threads only
// grid: 8
// in: v uint 0 1 1 0 2 2 3 2 4 5 5 4 6 6 7 6
// out: a uint 101 4 50 4 101 4 50 4
#include <metal_stdlib>
using namespace metal;
kernel void test(device const uint2 *v [[buffer(0)]], device uint *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint r = 4u;
  if ((i & 1u) == 0u) r = bool(v[i].y & 1u) ? 101u : 50u;
  a[i] = r;
}
