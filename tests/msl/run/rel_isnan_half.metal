// section: 6.4 Relational Functions
// construct: isnan of half
// grid: 4
// in: a half 1 inf nan 0
// out: out int 0 0 1 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = isnan(a[i]) ? 1 : 0;
}
