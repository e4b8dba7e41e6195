// section: 6.2 Common Functions
// construct: sign
// grid: 3
// in: a float -3 0 0.5
// out: out float -1 0 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sign(a[i]);
}
