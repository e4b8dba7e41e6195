// section: 6.4 Relational Functions
// construct: isnan of float
// grid: 6
// in: a float 1 inf -inf nan 0 1e-40
// out: out int 0 0 0 1 0 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = isnan(a[i]) ? 1 : 0;
}
