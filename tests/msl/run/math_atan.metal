// section: 6.5 Math Functions
// construct: atan of float
// grid: 8
// in: a float -3 -1 -0.5 0 0.25 1 2 30
// out: out float within 1e-06: -1.24904577 -0.785398163 -0.463647609 0 0.244978663 0.785398163
//   1.10714872 1.53747533
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = atan(a[i]);
}
