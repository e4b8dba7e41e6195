// section: 6.4 Relational Functions
// construct: select of int
// grid: 2
// in: a int 1 -2
// out: out int 1 100
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = select(100, a[i], a[i] > 0);
}
