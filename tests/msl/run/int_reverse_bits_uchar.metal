// section: 6.3 Integer Functions
// construct: reverse_bits of uchar
// grid: 2
// in: a uchar 1 6
// out: out uchar 128 96
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uchar *a [[buffer(0)]],
                 device uchar *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = reverse_bits(a[i]);
}
