// section: 2.1 Scalar Data Types
// construct: 64-bit integers
// grid: 2
// in: a long 1099511627776 -5
// out: out long 3298534883327 -16
#include <metal_stdlib>
using namespace metal;

kernel void test(device const long *a [[buffer(0)]],
                 device long *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i] * 3 - 1;
}
