// section: 2.2 Vector Data Types
// construct: one bit of one component of a vector in memory decides, for some threads only
// grid: 8
// in: v uint 0 1 1 0 3 2 3 2 4 5 5 4 7 6 7 6
// out: a uint 4 4 50 9 4 4 4 4
#include <metal_stdlib>
using namespace metal;
kernel void test(device const uint2 *v [[buffer(0)]], device uint *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  uint r = 9u, j = i & 7u;
  switch (int(j) - 2) {
    case 0: r = bool((uint(j < 5u) ^ v[i].y) & 1u) ? j * 3u + 44u : j * 3u;
    case 1: break;
    default: r = 4u;
  }
  a[i] = r;
}
