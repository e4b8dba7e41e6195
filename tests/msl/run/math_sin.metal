// section: 6.5 Math Functions
// construct: sin of float
// grid: 8
// in: a float -3 -1 -0.5 0 0.25 1 2 30
// out: out float within 1e-06: -0.141120008 -0.841470985 -0.479425539 0 0.247403959 0.841470985
//   0.909297427 -0.988031624
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sin(a[i]);
}
