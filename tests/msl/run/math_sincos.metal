// section: 6.5 Math Functions
// construct: sincos gives both
// grid: 4
// in: a float 0 0.5 1 -2
// out: s float within 1e-06: 0 0.479425539 0.841470985 -0.909297427
// out: c float within 1e-06: 1 0.877582562 0.540302306 -0.416146837
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *s [[buffer(1)]],
                 device float *c [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  float cosine;
  s[i] = sincos(a[i], cosine);
  c[i] = cosine;
}
