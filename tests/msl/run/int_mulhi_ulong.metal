// section: 6.3 Integer Functions
// construct: mulhi of ulong
// grid: 2
// in: a ulong 9223372036854775807 1099511627776
// in: b ulong 4 1099511627776
// out: out ulong 1 65536
#include <metal_stdlib>
using namespace metal;

kernel void test(device const ulong *a [[buffer(0)]],
                 device const ulong *b [[buffer(1)]],
                 device ulong *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = mulhi(a[i], b[i]);
}
