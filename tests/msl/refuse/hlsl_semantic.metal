#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint3 id : SV_DispatchThreadID) {
  x[i] = id.x;
}
// expect: 3: uint3 id [[thread_position_in_grid]]
