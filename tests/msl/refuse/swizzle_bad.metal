#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2 a = 1; x[i] = a.z;
}
// expect: 4: vector component
