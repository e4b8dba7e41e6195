// section: 1.5 Metal and C++17
// construct: static_assert
// grid: 1
// in: a int 3
// out: out int 3
#include <metal_stdlib>
using namespace metal;

static_assert(sizeof(float4) == 16, "float4 is 16 bytes");

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i];
}
