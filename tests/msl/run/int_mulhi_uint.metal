// section: 6.3 Integer Functions
// construct: mulhi of uint
// grid: 3
// in: a uint 4294967295 65536 3
// in: b uint 4294967295 65536 4
// out: out uint 4294967294 1 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device const uint *b [[buffer(1)]],
                 device uint *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = mulhi(a[i], b[i]);
}
