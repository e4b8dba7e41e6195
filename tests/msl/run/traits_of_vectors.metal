// section: 2.19 Type Traits
// construct: is_floating_point, is_arithmetic, is_signed, is_unsigned and is_integral of vectors
// grid: 1
// out: o int 1 1 0 1 1 0 1 0 1 1 1 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int all[12] = {is_floating_point_v<float2>, is_floating_point<half4>::value, is_floating_point_v<int3>,
                 is_arithmetic_v<uchar4>,     is_signed_v<float3>,             is_signed_v<uint2>,
                 is_unsigned_v<ushort4>,      is_unsigned_v<float4>,           is_integral_v<long2>,
                 is_signed_v<int>,            is_arithmetic_v<bfloat2>,        is_floating_point_v<bool4>};
  for (int k = 0; k < 12; k++) o[i * 12 + k] = all[k];
}
