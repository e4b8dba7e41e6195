#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int4 a = 1; float4 v = a; x[i] = v.x;
}
// expect: 4: cannot initialize|cannot convert
