// section: 2.1 Scalar Data Types
// construct: a uchar wraps at 256
// grid: 3
// in: a uchar 250 255 0
// out: out uchar 4 9 10
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uchar *a [[buffer(0)]],
                 device uchar *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i] + 10;
}
