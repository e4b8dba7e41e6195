// section: 6.5 Math Functions
// construct: nextafter of float
// grid: 4
// in: a float 1 1 0 -1
// in: b float 2 0 1 -2
// out: out float within 1e-09: 1.0000001192092896 0.9999999403953552 1.401298464324817e-45
//   -1.0000001192092896
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = nextafter(a[i], b[i]);
}
