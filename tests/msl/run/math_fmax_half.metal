// section: 6.5 Math Functions
// construct: fmax of half
// grid: 2
// in: a half 1 5
// in: b half 4 2
// out: out half 4 5
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device const half *b [[buffer(1)]],
                 device half *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = fmax(a[i], b[i]);
}
