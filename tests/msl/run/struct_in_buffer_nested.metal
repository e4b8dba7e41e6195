// section: 4.1 Device Address Space
// construct: nested structs with arrays and packed vectors in a buffer
// grid: 2
// in: a float 1 2 3 4 5 6 7 8 9 10 11 12
// out: o float 15 39
#include <metal_stdlib>
using namespace metal;
struct Inner { packed_float3 p; float v[2]; };
struct Outer { Inner in; float last; };
kernel void k(device const Outer *a [[buffer(0)]], device float *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  Inner n = a[i].in;
  o[i] = n.p.x + n.p.z + n.v[1] + a[i].last;
}
