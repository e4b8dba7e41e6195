// section: 6.3 Integer Functions
// construct: popcount of uchar
// grid: 3
// in: a uchar 0 7 255
// out: out uchar 0 3 8
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uchar *a [[buffer(0)]],
                 device uchar *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = popcount(a[i]);
}
