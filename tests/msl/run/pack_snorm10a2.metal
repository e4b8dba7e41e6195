// section: 6.14 Pack and Unpack Functions
// construct: snorm10a2, packed and unpacked
// grid: 3
// in: a float4 1 -1 0 1  0.5 -0.5 2 -1  0 0 -3 0
// out: o uint 1074267647 3757834496 537919488
// out: p float4 within 1e-6: 1 -1 0 1  0.5009784735812133 -0.5009784735812133 1 -1  0 0 -1 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float4 *a [[buffer(0)]], device uint *o [[buffer(1)]], device float4 *p [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  o[i] = pack_float_to_snorm10a2(a[i]);
  p[i] = unpack_snorm10a2_to_float(o[i]);
}
