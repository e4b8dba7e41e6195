// section: 2.1 Scalar Data Types
// construct: float to bfloat rounds ties to even
// grid: 5
// in: a float 1.00390625 1.01171875 -1.00390625 3.4e38 1
// out: o float 1 1.015625 -1 inf 1
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *a [[buffer(0)]], device float *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  o[i] = float(bfloat(a[i]));
}
