// section: 6.5 Math Functions
// construct: exp(-INFINITY) is 0 in fast math too, as softmax needs
// grid: 2
// in: a float 1 2
// out: out float 1 2
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = exp(-INFINITY) + a[i];
}
