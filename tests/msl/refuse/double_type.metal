#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  double d = x[i]; x[i] = d;
}
// expect: 4: 'double' is not supported
