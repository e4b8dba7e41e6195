// section: 1.5.1 Overloading
// construct: std:: for what is in metal::
// grid: 2
// in: a float 4 -9
// out: out float 5 2
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = std::max(a[i], 1.0f) + (std::is_same<int, int>::value ? 1 : 0);
}
