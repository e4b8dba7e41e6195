// section: 6.3 Integer Functions
// construct: hadd of uint
// grid: 2
// in: a uint 4294967295 1
// in: b uint 4294967295 2
// out: out uint 4294967295 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device const uint *b [[buffer(1)]],
                 device uint *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = hadd(a[i], b[i]);
}
