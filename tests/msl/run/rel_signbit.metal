// section: 6.4 Relational Functions
// construct: signbit
// grid: 4
// in: a float 1 -1 -inf 0
// out: out int 0 1 1 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = signbit(a[i]) ? 1 : 0;
}
