// section: 2.21 Type Conversions and Reinterpreting Data
// construct: as_type between uint and ushort2, half2
// grid: 1
// in: a uint 1006649344
// out: out float2 2 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const uint *a [[buffer(0)]],
                 device float2 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = float2(as_type<half2>(a[i]));
}
