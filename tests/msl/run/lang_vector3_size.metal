// section: 2.2 Vector Data Types
// construct: float3 takes 16 bytes, packed_float3 12
// grid: 1
// in: a int 0
// out: out int 1612
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sizeof(float3) * 100 + sizeof(packed_float3);
}
