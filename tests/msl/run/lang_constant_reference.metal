// section: 4 Address Spaces
// construct: constant T & parameters
// repeats: no
// grid: 4
// in: a float 1 2 3 4
// arg: k float 3
// arg: n uint 2
// out: out float 3 6 0 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]], device float *out [[buffer(1)]],
                 constant float &k [[buffer(2)]], constant uint &n [[buffer(3)]],
                 uint i [[thread_position_in_grid]]) {
  if (i < n) out[i] = a[i] * k;
}
