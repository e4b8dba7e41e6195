// section: 6.3 Integer Functions
// construct: abs of long
// grid: 3
// in: a long -5 1099511627776 -1099511627776
// out: out long 5 1099511627776 1099511627776
#include <metal_stdlib>
using namespace metal;

kernel void test(device const long *a [[buffer(0)]],
                 device long *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = abs(a[i]);
}
