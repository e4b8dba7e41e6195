// section: 1.5.1 Overloading
// construct: metal:: names without using namespace
// grid: 2
// in: a float 4 9
// out: out float 7 12
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = metal::sqrt(a[i]) + metal::max(a[i], 5.0f);
}
