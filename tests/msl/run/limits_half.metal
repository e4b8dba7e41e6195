// section: 2.1 Scalar Data Types
// construct: numeric_limits<half>
// repeats: no
// grid: 4
// in: a half 1 1 1 1
// out: out half 65504 6.103515625e-05 0.0009765625 -65504
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  half v[4] = {numeric_limits<half>::max(), numeric_limits<half>::min(), numeric_limits<half>::epsilon(),
               numeric_limits<half>::lowest()};
  out[i] = v[i] * a[i];
}
