#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  again: x[i] += 1; if (x[i] < 4) goto again;
}
// expect: 4: 'goto'
