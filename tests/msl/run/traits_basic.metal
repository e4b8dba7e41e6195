// section: 6.1 Namespace and Header Files
// construct: is_same, is_integral, is_floating_point, is_signed, is_unsigned
// grid: 1
// in: a int 0
// out: out int 117
#include <metal_stdlib>
using namespace metal;

kernel void test(device const int *a [[buffer(0)]],
                 device int *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = a[i] + (is_same_v<float, float> ? 1 : 0) + (is_same<int, float>::value ? 2 : 0) +
           (is_integral_v<uint> ? 4 : 0) + (is_integral_v<half> ? 8 : 0) + (is_floating_point_v<half> ? 16 : 0) +
           (is_signed_v<int> ? 32 : 0) + (is_unsigned<ushort>::value ? 64 : 0);
}
