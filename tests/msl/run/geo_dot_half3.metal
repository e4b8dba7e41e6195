// section: 6.8 Geometric Functions
// construct: dot of half3
// grid: 1
// in: a half3 1 2 3
// in: b half3 4 5 6
// out: out half 32
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half3 *a [[buffer(0)]],
                 device const half3 *b [[buffer(1)]],
                 device half *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = dot(a[i], b[i]);
}
