// section: 2.2 Vector Data Types
// construct: the conditional operator between vectors
// repeats: no
// grid: 1
// in: a float2 1 2
// out: out float2 2 4
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float2 *a [[buffer(0)]],
                 device float2 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = (i == 0) ? a[i] * 2 : a[i];
}
