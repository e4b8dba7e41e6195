// section: 6.3 Integer Functions
// construct: abs of int3
// grid: 1
// in: a int3 -1 2 -3
// out: out int3 1 2 3
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int3 *a [[buffer(0)]],
                 device int3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = abs(a[i]);
}
