// section: 6.4 Relational Functions
// construct: select of float
// repeats: no
// grid: 2
// in: a float 1 2
// in: b float 10 20
// out: out float 1 20
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = select(a[i], b[i], i == 1);
}
