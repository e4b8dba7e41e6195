// section: 6.4 Relational Functions
// construct: all of a comparison
// grid: 2
// in: a float3 1 2 3 1 -2 3
// out: out int 1 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = all(a[i] > 0.0f) ? 1 : 0;
}
