// section: 6.5 Math Functions
// construct: pow of half
// grid: 4
// in: a half 2 3 4 9
// in: b half 3 2 0.5 1.5
// out: out half within 0.001: 8 9 2 27
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device const half *b [[buffer(1)]],
                 device half *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = pow(a[i], b[i]);
}
