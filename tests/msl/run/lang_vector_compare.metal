// section: 2.2 Vector Data Types
// construct: comparing vectors gives boolN
// grid: 1
// in: a float3 1 -2 3
// out: out int3 1 0 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device int3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = int3(a[i] > 0);
}
