// section: 6.3 Integer Functions
// construct: min of uchar
// grid: 2
// in: a uchar 200 5
// in: b uchar 100 255
// out: out uchar 100 5
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uchar *a [[buffer(0)]],
                 device const uchar *b [[buffer(1)]],
                 device uchar *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = min(a[i], b[i]);
}
