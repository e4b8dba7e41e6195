// section: 6.3 Integer Functions
// construct: insert_bits
// grid: 3
// in: a uint 0 4294967295 305419896
// in: b uint 255 0 171
// out: out uint 65280 4294902015 305441656
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device const uint *b [[buffer(1)]],
                 device uint *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = insert_bits(a[i], b[i], 8, 8);
}
