// section: 2.2 Vector Data Types
// construct: integer vectors: %, <<, &, ~
// grid: 1
// in: a uint4 5 6 7 8
// out: out uint4 5 8 13 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint4 *a [[buffer(0)]],
                 device uint4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = ((a[i] % 4) << 2) | (a[i] & 1u);
}
