// section: 6.3 Integer Functions
// construct: ctz of uint
// grid: 4
// in: a uint 0 1 8 2147483648
// out: out uint 32 0 3 31
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = ctz(a[i]);
}
