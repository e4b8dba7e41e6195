// section: 6.3 Integer Functions
// construct: clz of uchar
// grid: 3
// in: a uchar 0 1 128
// out: out uchar 8 7 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uchar *a [[buffer(0)]],
                 device uchar *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = clz(a[i]);
}
