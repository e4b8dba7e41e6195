// section: 6.5 Math Functions
// construct: fmod
// grid: 4
// in: a float 5.5 -5.5 7 10
// in: b float 2 2 -3 4
// out: out float 1.5 -1.5 1 2
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = fmod(a[i], b[i]);
}
