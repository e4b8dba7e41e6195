// section: 6.4 Relational Functions
// construct: any of a comparison
// grid: 3
// in: a float3 1 2 3 -1 -2 3 -1 -1 -1
// out: out int 1 1 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = any(a[i] > 2.5f) ? 1 : 0;
}
