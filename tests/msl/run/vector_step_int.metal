// section: 3.1 Scalar and Vector Operators
// construct: v++, ++v, v-- and --v on integer vectors
// grid: 4
// in: a int 1 2 3 4 5 6 7 8
// out: a int 2 3 4 5 6 7 8 9
// out: b int 1 2 3 4 5 6 7 8
// out: c int 2 3 4 5 6 7 8 9
#include <metal_stdlib>
using namespace metal;
kernel void test(device int2 *a [[buffer(0)]], device int2 *b [[buffer(1)]], device int2 *c [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  int2 v = a[i], w = v;
  b[i] = v++;
  c[i] = ++w;
  --w, w--, v--;
  if (all(w == v - 1)) a[i]++;
}
