// section: 6.3 Integer Functions
// construct: addsat of uchar
// grid: 3
// in: a uchar 250 1 255
// in: b uchar 10 2 255
// out: out uchar 255 3 255
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uchar *a [[buffer(0)]],
                 device const uchar *b [[buffer(1)]],
                 device uchar *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = addsat(a[i], b[i]);
}
