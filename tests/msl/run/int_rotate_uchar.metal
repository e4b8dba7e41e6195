// section: 6.3 Integer Functions
// construct: rotate of uchar
// grid: 2
// in: a uchar 129 3
// in: b uchar 1 9
// out: out uchar 3 6
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uchar *a [[buffer(0)]],
                 device const uchar *b [[buffer(1)]],
                 device uchar *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = rotate(a[i], b[i]);
}
