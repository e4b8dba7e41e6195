// section: 6.3 Integer Functions
// construct: max of long
// grid: 2
// in: a long -1099511627776 5
// in: b long 3 1099511627776
// out: out long 3 1099511627776
#include <metal_stdlib>
using namespace metal;

kernel void test(device const long *a [[buffer(0)]],
                 device const long *b [[buffer(1)]],
                 device long *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = max(a[i], b[i]);
}
