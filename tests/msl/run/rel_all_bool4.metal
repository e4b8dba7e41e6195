// section: 6.4 Relational Functions
// construct: all and any of bool4
// grid: 3
// in: a int 0 5 15
// out: out int 0 1 3
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  bool4 b = bool4(a[i] & 1, a[i] & 2, a[i] & 4, a[i] & 8);
  out[i] = (any(b) ? 1 : 0) + (all(b) ? 2 : 0);
}
