// section: 6.3 Integer Functions
// construct: max of ulong
// grid: 2
// in: a ulong 1099511627776 5
// in: b ulong 3 7
// out: out ulong 1099511627776 7
#include <metal_stdlib>
using namespace metal;

kernel void test(device const ulong *a [[buffer(0)]],
                 device const ulong *b [[buffer(1)]],
                 device ulong *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = max(a[i], b[i]);
}
