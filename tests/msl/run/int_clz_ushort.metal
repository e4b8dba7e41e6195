// section: 6.3 Integer Functions
// construct: clz of ushort
// grid: 4
// in: a ushort 0 1 255 32768
// out: out ushort 16 15 8 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const ushort *a [[buffer(0)]],
                 device ushort *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = clz(a[i]);
}
