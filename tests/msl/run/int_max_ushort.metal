// section: 6.3 Integer Functions
// construct: max of ushort
// grid: 2
// in: a ushort 65535 5
// in: b ushort 1 7
// out: out ushort 65535 7
#include <metal_stdlib>
using namespace metal;

kernel void test(device const ushort *a [[buffer(0)]],
                 device const ushort *b [[buffer(1)]],
                 device ushort *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = max(a[i], b[i]);
}
