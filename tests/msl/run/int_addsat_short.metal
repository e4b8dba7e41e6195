// section: 6.3 Integer Functions
// construct: addsat of short
// grid: 3
// in: a short 32767 -32768 1
// in: b short 1 -1 1
// out: out short 32767 -32768 2
#include <metal_stdlib>
using namespace metal;

kernel void test(device const short *a [[buffer(0)]],
                 device const short *b [[buffer(1)]],
                 device short *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = addsat(a[i], b[i]);
}
