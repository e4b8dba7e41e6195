#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m(1.0); x[i] = m[0, 1];
}
// expect: 4: 'float3'
