// section: 6.5 Math Functions
// construct: fast::sin within -pi to pi
// grid: 8
// in: a float -3 -2 -1 -0.5 0.5 1 2 3
// out: out float within 2e-06: -0.141120008 -0.909297427 -0.841470985 -0.479425539 0.479425539
//   0.841470985 0.909297427 0.141120008
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = fast::sin(a[i]);
}
