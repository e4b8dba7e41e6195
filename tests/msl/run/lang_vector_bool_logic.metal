// section: 2.2 Vector Data Types
// construct: bool vectors: !, &&, ||
// grid: 1
// in: a int4 0 1 2 3
// out: out int4 0 1 1 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int4 *a [[buffer(0)]],
                 device int4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  bool4 p = a[i] > 0, q = a[i] < 3;
  out[i] = int4((p && q) && !(bool4(false)));
}
