#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  thread_local float t; x[i] = t;
}
// expect: 4: 'thread_local'
