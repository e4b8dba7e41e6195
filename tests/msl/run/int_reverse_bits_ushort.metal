// section: 6.3 Integer Functions
// construct: reverse_bits of ushort
// grid: 2
// in: a ushort 1 4660
// out: out ushort 32768 11336
#include <metal_stdlib>
using namespace metal;

kernel void test(device const ushort *a [[buffer(0)]],
                 device ushort *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = reverse_bits(a[i]);
}
