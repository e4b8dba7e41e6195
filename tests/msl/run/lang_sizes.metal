// section: 2.1 Scalar Data Types
// construct: sizeof of the scalar types
// grid: 1
// in: a int 0
// out: out int 828421
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sizeof(bool) + 10 * sizeof(short) + 100 * sizeof(int) + 1000 * sizeof(long) + 10000 * sizeof(half) + 100000 * sizeof(size_t);
}
