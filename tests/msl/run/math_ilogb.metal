// section: 6.5 Math Functions
// construct: ilogb
// grid: 4
// in: a float 8 0.75 -3 1e+10
// out: out int 3 -1 1 33
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = ilogb(a[i]);
}
