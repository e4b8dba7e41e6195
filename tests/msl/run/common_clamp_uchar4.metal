// section: 6.3 Integer Functions
// construct: clamp of uchar4
// grid: 1
// in: a uchar4 0 100 200 255
// out: out uchar4 50 100 150 150
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uchar4 *a [[buffer(0)]],
                 device uchar4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = clamp(a[i], uchar4(50), uchar4(150));
}
