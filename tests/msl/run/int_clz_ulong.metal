// section: 6.3 Integer Functions
// construct: clz of ulong
// grid: 3
// in: a ulong 1 1099511627776 0
// out: out ulong 63 23 64
#include <metal_stdlib>
using namespace metal;

kernel void test(device const ulong *a [[buffer(0)]],
                 device ulong *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = clz(a[i]);
}
