// section: 2.1 Scalar Data Types
// construct: INT_MAX, UINT_MAX, FLT_MAX and their kin
// repeats: no
// grid: 4
// in: a long 0 0 0 0
// out: out long 2147483647 4294967295 -2147483648 65535
#include <metal_stdlib>
using namespace metal;

kernel void test(device const long *a [[buffer(0)]],
                 device long *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  long v[4] = {INT_MAX, UINT_MAX, INT_MIN, USHRT_MAX};
  out[i] = v[i] + a[i];
}
