// section: 2.2 Vector Data Types
// construct: a list with a comma at its end as an argument
// grid: 2
// in: a float 3 -6
// out: o float within 1e-6: 0.6 -0.6
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *a [[buffer(0)]], device float *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  o[i] = metal::normalize({
      a[i],
      0.0f,
      abs(a[i]) / 3 * 4,
  }).x;
}
