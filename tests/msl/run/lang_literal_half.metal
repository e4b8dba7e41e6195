// section: 2.1 Scalar Data Types
// construct: literals with h
// grid: 2
// in: a half 1 2
// out: out half 2 2.5
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i] * 0.5h + 1.5h;
}
