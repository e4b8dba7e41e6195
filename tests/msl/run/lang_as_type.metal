// section: 2.21 Type Conversions and Reinterpreting Data
// construct: as_type keeps the bits
// grid: 2
// in: a float 1 -2
// out: out uint 1065353216 3221225472
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device uint *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = as_type<uint>(a[i]);
}
