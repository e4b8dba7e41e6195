// section: 6.4 Relational Functions
// construct: isunordered
// grid: 3
// in: a float 1 nan 2
// in: b float 1 1 nan
// out: out int 0 1 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device int *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = isunordered(a[i], b[i]) ? 1 : 0;
}
