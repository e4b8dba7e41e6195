#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup_barrier(); x[i] = 1;
}
// expect: 4: no matching function|too few
