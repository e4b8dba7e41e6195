// section: 6.2 Common Functions
// construct: clamp of half
// grid: 3
// in: a half -1 0.25 2
// out: out half 0 0.25 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = clamp(a[i], 0.0h, 1.0h);
}
