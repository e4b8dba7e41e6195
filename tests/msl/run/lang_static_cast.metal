// section: 2.21 Type Conversions and Reinterpreting Data
// construct: static_cast
// grid: 1
// in: a float 2.7
// out: out int 4
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = static_cast<int>(a[i]) + static_cast<int2>(float2(a[i])).y;
}
