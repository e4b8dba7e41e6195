// section: 6.3 Integer Functions
// construct: reverse_bits of uint
// grid: 3
// in: a uint 1 2147483648 4042322160
// out: out uint 2147483648 1 252645135
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = reverse_bits(a[i]);
}
