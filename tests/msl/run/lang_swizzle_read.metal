// section: 2.2 Vector Data Types
// construct: swizzles: reverse, repeat, rgba
// grid: 1
// in: a float4 1 2 3 4
// out: out float4 5 4 4 3
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device float4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i].wzyx + a[i].rrgg;
}
