// section: 1.5.1 Overloading
// construct: max of half and float is float
// grid: 2
// in: a half 0.5 2
// out: out float within 1e-06: 1.1 2
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = max(a[i], 1.1f);
}
