// section: 6.3 Integer Functions
// construct: ctz of ushort
// grid: 3
// in: a ushort 0 8 32768
// out: out ushort 16 3 15
#include <metal_stdlib>
using namespace metal;

kernel void test(device const ushort *a [[buffer(0)]],
                 device ushort *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = ctz(a[i]);
}
