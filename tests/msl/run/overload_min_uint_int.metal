// section: 1.5.1 Overloading
// construct: min of uint and int is unsigned
// grid: 2
// in: a uint 5 7
// out: out uint 5 6
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = min(a[i], 6);
}
