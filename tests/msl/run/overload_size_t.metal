// section: 1.5.1 Overloading
// construct: min of ulong and uint
// grid: 2
// in: a ulong 1099511627776 3
// out: out ulong 7 3
#include <metal_stdlib>
using namespace metal;

kernel void test(device const ulong *a [[buffer(0)]],
                 device ulong *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = min(a[i], ulong(7));
}
