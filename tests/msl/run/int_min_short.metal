// section: 6.3 Integer Functions
// construct: min of short
// grid: 2
// in: a short -1 5
// in: b short 3 2
// out: out short -1 2
#include <metal_stdlib>
using namespace metal;

kernel void test(device const short *a [[buffer(0)]],
                 device const short *b [[buffer(1)]],
                 device short *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = min(a[i], b[i]);
}
