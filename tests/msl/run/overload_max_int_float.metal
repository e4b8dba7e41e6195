// section: 1.5.1 Overloading
// construct: max(0, x) of int and float is float
// grid: 2
// in: a float -1.5 2.5
// out: out float 0 2.5
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = max(0, a[i]);
}
