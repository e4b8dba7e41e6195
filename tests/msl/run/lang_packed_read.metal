// section: 2.5 Alignment of Data Types
// construct: packed_float3 in a buffer
// grid: 2
// in: a packed_float3 1 2 3 4 5 6
// out: out float 7 34
#include <metal_stdlib>
using namespace metal;

kernel void test(device const packed_float3 *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i].x + a[i].y * a[i].z;
}
