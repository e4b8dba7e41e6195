// section: 6.5 Math Functions
// construct: sincos of float2
// grid: 2
// in: a float2 0 1 2 3
// out: s float2 within 1e-06: 0 0.841470985 0.909297427 0.141120008
// out: c float2 within 1e-06: 1 0.540302306 -0.416146837 -0.989992497
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float2 *a [[buffer(0)]],
                 device float2 *s [[buffer(1)]],
                 device float2 *c [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  float2 cosine;
  s[i] = sincos(a[i], cosine);
  c[i] = cosine;
}
