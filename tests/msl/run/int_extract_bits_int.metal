// section: 6.3 Integer Functions
// construct: extract_bits of int extends the sign
// grid: 3
// in: a int 240 112 -1
// out: out int -1 7 -1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = extract_bits(a[i], 4, 4);
}
