// section: 6.3 Integer Functions
// construct: max of uint3 and a scalar
// grid: 1
// in: a uint3 1 5 9
// out: out uint3 4 5 9
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint3 *a [[buffer(0)]],
                 device uint3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = max(a[i], 4u);
}
