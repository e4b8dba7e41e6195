// section: 1.5.1 Overloading
// construct: sqrt of an integer is float
// grid: 2
// in: a int 4 2
// out: out float within 1e-06: 4 3.41421356
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sqrt(float(a[i])) + sqrt(4.0);
}
