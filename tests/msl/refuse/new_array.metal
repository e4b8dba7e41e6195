#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  thread float *p = new float[4]; x[i] = p[0];
}
// expect: 4: 'new'
