// section: 6.1 Namespace and Header Files
// construct: conditional_t, make_unsigned_t, remove_cv_t
// grid: 1
// in: a int -1
// out: out ulong 4294967299
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device ulong *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  conditional_t<sizeof(int) == 4, make_unsigned_t<int>, float> u = a[i];
  remove_cv_t<const int> k = 4;
  out[i] = (ulong)u + k;
}
